import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

/** Watches a store through a separate connection: detects commits, and hashes its content. */
export class StateWatch {
	private readonly database: DatabaseSync;

	private seenVersion: number;

	/** @param ignored tables that may change at any time */
	constructor(
		file: string,
		private readonly ignored: readonly string[],
	) {
		this.database = new DatabaseSync(file, { readOnly: true });
		this.seenVersion = this.version();
	}

	/** Tells whether any connection has committed since the previous call. */
	wasWritten(): boolean {
		const version = this.version();
		const isNew = version !== this.seenVersion;
		this.seenVersion = version;
		return isNew;
	}

	/** Hashes of all rows by table. */
	digests(): ReadonlyMap<string, string> {
		const tables = this.database
			.prepare("select name from sqlite_master where type = 'table' order by name")
			.all()
			.map(({ name }) => String(name))
			.filter((name) => !this.ignored.includes(name));
		return new Map(tables.map((table) => [table, this.digestOf(table)]));
	}

	close(): void {
		this.database.close();
	}

	private version(): number {
		return Number(this.database.prepare('pragma data_version').get()?.data_version);
	}

	private digestOf(table: string): string {
		const hash = createHash('sha256');
		for (const row of this.database.prepare(`select * from "${table}" order by 1, 2`).iterate()) {
			hash.update(JSON.stringify(row, (_name, value: unknown) => plain(value)));
		}
		return hash.digest('hex');
	}
}

const plain = (value: unknown): unknown =>
	typeof value === 'bigint'
		? String(value)
		: value instanceof Uint8Array
			? Buffer.from(value).toString('base64')
			: value;

/** Names of the tables whose contents differ. */
export function changedTables(
	before: ReadonlyMap<string, string>,
	after: ReadonlyMap<string, string>,
): string[] {
	return [...after].filter(([table, digest]) => before.get(table) !== digest).map(([name]) => name);
}
