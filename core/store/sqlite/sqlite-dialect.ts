import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
	CompiledQuery,
	SqliteAdapter,
	SqliteIntrospector,
	SqliteQueryCompiler,
	type DatabaseConnection,
	type DatabaseIntrospector,
	type Dialect,
	type DialectAdapter,
	type Driver,
	type Kysely,
	type QueryCompiler,
	type QueryResult,
} from 'kysely';
import { sleep } from '../../base/abort';
import { storeErrors } from '../store-errors';

const busyPatienceMs = 30_000;
const cachedStatements = 200;

/**
 * Kysely over one `node:sqlite` connection. Statements are synchronous; callers queue for the
 * connection, so that a transaction never sees the statements of another one.
 */
export class SqliteDialect implements Dialect {
	constructor(
		private readonly database: DatabaseSync,
		private readonly begin: 'begin' | 'begin immediate',
	) {}

	createDriver(): Driver {
		return new SqliteDriver(this.database, this.begin);
	}

	createQueryCompiler(): QueryCompiler {
		return new SqliteQueryCompiler();
	}

	createAdapter(): DialectAdapter {
		return new TransactionalDdlAdapter();
	}

	createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
		return new SqliteIntrospector(db);
	}
}

/** SQLite rolls schema changes back, so a migration that fails or is killed leaves nothing behind. */
class TransactionalDdlAdapter extends SqliteAdapter {
	override get supportsTransactionalDdl(): boolean {
		return true;
	}
}

class SqliteDriver implements Driver {
	private readonly connection: SqliteConnection;

	private isTaken = false;

	private readonly waiting: Array<() => void> = [];

	constructor(
		database: DatabaseSync,
		private readonly begin: 'begin' | 'begin immediate',
	) {
		this.connection = new SqliteConnection(database);
	}

	async init(): Promise<void> {
		// The database is open already.
	}

	async acquireConnection(): Promise<DatabaseConnection> {
		if (this.isTaken) {
			await new Promise<void>((resolve) => {
				this.waiting.push(resolve);
			});
		}
		this.isTaken = true;
		return this.connection;
	}

	/** The next in line takes over directly, so that nobody can slip in between. */
	async releaseConnection(): Promise<void> {
		const next = this.waiting.shift();
		if (next === undefined) this.isTaken = false;
		else next();
	}

	/** Another process may be writing: its lock is waited for without blocking the event loop. */
	async beginTransaction(connection: DatabaseConnection): Promise<void> {
		const giveUpAt = Date.now() + busyPatienceMs;
		for (let waitMs = 2; ; waitMs = Math.min(waitMs * 2, 100)) {
			try {
				await connection.executeQuery(CompiledQuery.raw(this.begin));
				return;
			} catch (error) {
				if (!isBusy(error)) throw error;
				if (Date.now() > giveUpAt) {
					throw storeErrors.create('busy', {
						message: 'The store stayed locked by another process for 30 seconds.',
						cause: error,
					});
				}
				await sleep(waitMs);
			}
		}
	}

	async commitTransaction(connection: DatabaseConnection): Promise<void> {
		await connection.executeQuery(CompiledQuery.raw('commit'));
	}

	async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
		await connection.executeQuery(CompiledQuery.raw('rollback'));
	}

	async destroy(): Promise<void> {
		this.connection.close();
	}
}

class SqliteConnection implements DatabaseConnection {
	private readonly statements = new Map<string, StatementSync>();

	constructor(private readonly database: DatabaseSync) {}

	executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
		try {
			return Promise.resolve(this.run<Row>(query));
		} catch (error) {
			return Promise.reject(error as Error);
		}
	}

	// eslint-disable-next-line require-yield -- part of the driver interface, unused by us
	async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
		throw new TypeError('The store does not stream queries');
	}

	close(): void {
		this.statements.clear();
		this.database.close();
	}

	private run<Row>(query: CompiledQuery): QueryResult<Row> {
		const statement = this.prepare(query.sql);
		const parameters = query.parameters as SQLInputValue[];
		if (statement.columns().length > 0) {
			return { rows: statement.all(...parameters) as Row[] };
		}
		const { changes } = statement.run(...parameters);
		return { rows: [], numAffectedRows: BigInt(changes) };
	}

	private prepare(sql: string): StatementSync {
		const known = this.statements.get(sql);
		if (known !== undefined) return known;
		if (this.statements.size >= cachedStatements) this.statements.clear();
		const statement = this.database.prepare(sql);
		this.statements.set(sql, statement);
		return statement;
	}
}

/** SQLITE_BUSY and its extended codes. */
export function isBusy(error: unknown): boolean {
	const code = (error as { errcode?: unknown }).errcode;
	return typeof code === 'number' && (code & 0xff) === 5;
}
