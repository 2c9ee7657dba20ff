/** Rows by key. Whoever writes the state file is told which of them have changed. */
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

/** Rows that carry their key. */
export class Rows<Row> extends Table<Row> {
	constructor(
		onChange: (key: string) => void,
		private readonly keyOf: (row: Row) => string,
	) {
		super(onChange);
	}

	/** Adds a row, or notes that it was changed in place. */
	save(row: Row): void {
		this.set(this.keyOf(row), row);
	}
}
