import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { SqlExecutor, SqlValue } from '../executor';
import { asStoreError } from './sqlite-failures';
import { markStatement } from './sqlite-file';

const keptStatements = 200;

/** Of the write-ahead log: how many it has, and how many of them the database file has, too. */
interface LogPages {
	readonly log: number;
	readonly checkpointed: number;
}

/** One `node:sqlite` connection with its prepared statements. Statements run synchronously. */
export class SqliteConnection implements DatabaseConnection, SqlExecutor {
	private readonly statements = new Map<string, StatementSync>();

	/** @param isReader whether only others commit */
	constructor(
		private readonly database: DatabaseSync,
		private readonly isReader = false,
	) {
		// SQLite's own `lower` only folds ASCII; searches have to find 'Ärger' under 'ärger'.
		database.function('folded', { deterministic: true }, (text) =>
			typeof text === 'string' ? text.toLowerCase() : (text ?? null),
		);
	}

	get isInTransaction(): boolean {
		return this.database.isTransaction;
	}

	query<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
		return attempt(() => this.prepare(sql).all(...parameters) as Row[]);
	}

	change(sql: string, parameters: readonly SqlValue[]): Promise<number> {
		return attempt(() => Number(this.prepare(sql).run(...parameters).changes));
	}

	/** SQLite counts what other connections commit: all there is for one that only reads. */
	dataVersion(): number | undefined {
		if (!this.isReader) return undefined;
		return (this.prepare('pragma data_version').get() as { data_version: number }).data_version;
	}

	/** Without results and without waiting, for the edges of transactions. */
	run(sql: string): void {
		this.prepare(sql).run();
	}

	/**
	 * Carries the write-ahead log over into the database file, as far as nobody needs it any more; not
	 * inside of a transaction. A disk that fails is a matter of the next statement.
	 */
	checkpoint(): void {
		if (!this.database.isOpen || this.database.isTransaction) return;
		try {
			const [log] = this.prepare('pragma wal_checkpoint(passive)').all() as unknown as LogPages[];
			// The next commit begins a log that was carried over anew, and waits for the disk: let it be this one.
			if (log !== undefined && log.log === log.checkpointed) this.run(markStatement);
		} catch {
			// SQLite tries again with one of the next commits.
		}
	}

	/** For the migrator. */
	executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
		return attempt(() => {
			const statement = this.prepare(query.sql);
			const parameters = query.parameters as SqlValue[];
			if (statement.columns().length > 0) {
				return { rows: statement.all(...parameters) as Row[] };
			}
			return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
		});
	}

	// eslint-disable-next-line require-yield -- part of the interface, unused by us
	async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
		throw new TypeError('The store does not stream queries');
	}

	close(): void {
		this.statements.clear();
		if (this.database.isOpen) this.database.close();
	}

	private prepare(sql: string): StatementSync {
		const known = this.statements.get(sql);
		if (known !== undefined) return known;
		if (this.statements.size >= keptStatements) this.statements.clear();
		const statement = this.database.prepare(sql);
		this.statements.set(sql, statement);
		return statement;
	}
}

function attempt<Result>(work: () => Result): Promise<Result> {
	try {
		return Promise.resolve(work());
	} catch (error) {
		return Promise.reject(asStoreError(error) as Error);
	}
}
