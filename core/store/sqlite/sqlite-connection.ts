import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CompiledQuery, DatabaseConnection, QueryResult } from '../kysely';
import { sqlValue, type SqlExecutor, type SqlValue } from '../sql/executor';
import { asStoreError } from './sqlite-failures';

/** Application id `enmS` in the file header, which identifies the file as one of this package. */
export const applicationId = 0x656e6d53;

const keptStatements = 200;

/** One `node:sqlite` connection with its prepared statements. Statements run synchronously. */
export class SqliteConnection implements DatabaseConnection, SqlExecutor {
	private readonly statements = new Map<string, StatementSync>();

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

	/** Runs a statement that changes the tables. */
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
