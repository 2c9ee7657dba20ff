import {
	Kysely,
	SqliteAdapter,
	SqliteIntrospector,
	SqliteQueryCompiler,
	type DatabaseConnection,
	type DatabaseIntrospector,
	type Dialect,
	type DialectAdapter,
	type Driver,
	type QueryCompiler,
} from 'kysely';
import type { AnyDatabase } from '../statement-book';

/**
 * Kysely over one connection of ours: it compiles every statement, and the migrator runs on it.
 * Transactions are not its business: `SqliteSession` begins and ends them.
 */
export function queryBuilder(connection: DatabaseConnection): AnyDatabase {
	return new Kysely<Record<string, Record<string, unknown>>>({
		dialect: new SqliteDialect(connection),
	});
}

class SqliteDialect implements Dialect {
	constructor(private readonly connection: DatabaseConnection) {}

	createDriver(): Driver {
		return new SqliteDriver(this.connection);
	}

	createQueryCompiler(): QueryCompiler {
		return new SqliteQueryCompiler();
	}

	createAdapter(): DialectAdapter {
		return new SharedConnectionAdapter();
	}

	createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
		return new SqliteIntrospector(db);
	}
}

/** The migrator asks for the connection while it holds it; there is only the one. */
class SharedConnectionAdapter extends SqliteAdapter {
	override get supportsMultipleConnections(): boolean {
		return true;
	}
}

class SqliteDriver implements Driver {
	constructor(private readonly connection: DatabaseConnection) {}

	async init(): Promise<void> {
		// The connection is open already.
	}

	acquireConnection(): Promise<DatabaseConnection> {
		return Promise.resolve(this.connection);
	}

	async releaseConnection(): Promise<void> {
		// It stays open until the session closes it.
	}

	beginTransaction(): Promise<void> {
		return Promise.reject(new TypeError('Transactions go through SqliteSession'));
	}

	commitTransaction(): Promise<void> {
		return this.beginTransaction();
	}

	rollbackTransaction(): Promise<void> {
		return this.beginTransaction();
	}

	async destroy(): Promise<void> {
		// See releaseConnection.
	}
}
