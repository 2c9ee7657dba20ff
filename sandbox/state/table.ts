/** Rows by key, with a callback for changes, which the state file uses. */
export class Table<Row> extends Map<string, Row> {
	constructor(private readonly onChange: (key: string) => void) {
		super();
	}

	override set(key: string, row: Row): this {
		this.onChange(key);
		return super.set(key, row);
	}

	override delete(key: string): boolean {
		if (!super.delete(key)) return false;
		this.onChange(key);
		return true;
	}
}

/** Rows that contain their own key. */
export class Rows<Row> extends Table<Row> {
	constructor(
		onChange: (key: string) => void,
		private readonly keyOf: (row: Row) => string,
	) {
		super(onChange);
	}

	/** Adds a row, or reports its change in place. */
	save(row: Row): void {
		this.set(this.keyOf(row), row);
	}
}
