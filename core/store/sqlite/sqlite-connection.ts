import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CompiledQuery, DatabaseConnection, QueryResult } from '../kysely';
import { sqlValue, type SqlExecutor, type SqlValue } from '../sql/executor';
import { asStoreError } from './sqlite-failures';

/** Application id `enmS` in the file header, which identifies the file as one of this package. */
export const applicationId = 0x656e6d53;
/** Rewrites the same application id as `markOurs`: a commit that changes nothing. */
export const markStatement = `pragma application_id = ${applicationId}`;

const keptStatements = 200;

/**
 * Page counts of the write-ahead log: all pages, and those already copied into the database file.
 */
interface LogPages {
	readonly log: number;
	readonly checkpointed: number;
}

/** Distance of the data versions of successive databases of a connection: they have 32 bits. */
const versionsPerOpening = 2 ** 32;

/** One `node:sqlite` connection with its prepared statements. Statements run synchronously. */
export class SqliteConnection implements DatabaseConnection, SqlExecutor {
	private readonly statements = new Map<string, StatementSync>();

	private openings = 1;

	private isResting = false;

	/** @param reopen given if the connection only reads, while other connections commit */
	constructor(
		private database: DatabaseSync,
		private readonly reopen?: () => DatabaseSync,
	) {
		addFunctions(database);
	}

	get isInTransaction(): boolean {
		return this.database.isOpen && this.database.isTransaction;
	}

	query<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
		return attempt(() => rowsOf<Row>(this.prepare(sql), parameters));
	}

	change(sql: string, parameters: readonly SqlValue[]): Promise<number> {
		return attempt(() => Number(this.prepare(sql).run(...parameters).changes));
	}

	/**
	 * Returns SQLite's version of the data, which counts the commits of other connections. For a
	 * connection that only reads, these are all commits.
	 */
	dataVersion(): number | undefined {
		if (this.reopen === undefined) return undefined;
		const version = Number(this.prepare('pragma data_version').get()?.['data_version']);
		return this.openings * versionsPerOpening + version;
	}

	/**
	 * Gives memory back until the next statement; never inside a transaction. Schema, pages and
	 * statements take 0.4 MB of each connection. A connection that writes keeps its database open:
	 * closing the last one of a file would remove the write-ahead log.
	 */
	rest(): void {
		this.statements.clear();
		if (!this.database.isOpen) return;
		if (this.reopen === undefined) {
			// Drops the parsed schema; the next statement reads it again.
			this.run('pragma writable_schema = reset');
			this.run('pragma shrink_memory');
			this.statements.clear();
			return;
		}
		this.database.close();
		this.isResting = true;
	}

	/** Runs a statement without results synchronously, for the begin and end of transactions. */
	run(sql: string): void {
		this.prepare(sql).run();
	}

	/**
	 * Copies the write-ahead log into the database file, as far as no reader still needs it. Does
	 * nothing inside a transaction or after closing. A failure of the disk is ignored, because the
	 * next statement reports it.
	 */
	checkpoint(): void {
		// A transaction that has not begun to read could be given a lock by the commit below.
		if (this.isInTransaction) return;
		try {
			const [log] = rowsOf<LogPages>(this.prepare('pragma wal_checkpoint(passive)'), []);
			// After a complete checkpoint the next commit restarts the log and waits for the disk. This
			// commit does so in place of a caller's.
			if (log !== undefined && log.log === log.checkpointed) this.run(markStatement);
		} catch {
			// SQLite tries again in one of the next commits.
		}
	}

	/** Runs a statement of the migrator. */
	executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
		return attempt(() => {
			const statement = this.prepare(query.sql);
			const parameters = query.parameters.map(sqlValue);
			if (statement.columns().length > 0) return { rows: rowsOf<Row>(statement, parameters) };
			return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
		});
	}

	// eslint-disable-next-line require-yield -- part of the interface, never called
	async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
		throw new TypeError('The store does not stream queries');
	}

	close(): void {
		this.isResting = false;
		this.statements.clear();
		if (this.database.isOpen) this.database.close();
	}

	private prepare(sql: string): StatementSync {
		const known = this.statements.get(sql);
		if (known !== undefined) return known;
		if (this.isResting) this.wake();
		if (this.statements.size >= keptStatements) this.statements.clear();
		const statement = this.database.prepare(sql);
		this.statements.set(sql, statement);
		return statement;
	}

	private wake(): void {
		if (this.reopen === undefined) return;
		this.database = this.reopen();
		this.openings++;
		this.isResting = false;
		addFunctions(this.database);
	}
}

function rowsOf<Row>(statement: StatementSync, parameters: readonly SqlValue[]): Row[] {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the caller names the columns that its statement selects
	return statement.all(...parameters) as Row[];
}

function addFunctions(database: DatabaseSync): void {
	// SQLite's own `lower` only folds ASCII; searches have to find 'Ärger' under 'ärger'.
	database.function('folded', { deterministic: true }, (text) =>
		typeof text === 'string' ? text.toLowerCase() : (text ?? null),
	);
}

function attempt<Result>(work: () => Result): Promise<Result> {
	try {
		return Promise.resolve(work());
	} catch (error) {
		return Promise.reject(asStoreError(error));
	}
}
