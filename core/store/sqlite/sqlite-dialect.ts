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
} from '../kysely';
import type { AnyDatabase } from '../sql/compiled-statement-cache';

/**
 * Creates the Kysely builder on one connection: it compiles every statement, and tables are
 * created on it. `SqliteSession` begins and ends transactions.
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
		return new SqliteAdapter();
	}

	createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
		return new SqliteIntrospector(db);
	}
}

class SqliteDriver implements Driver {
	constructor(private readonly connection: DatabaseConnection) {}

	async init(): Promise<void> {
		// The connection is already open.
	}

	acquireConnection(): Promise<DatabaseConnection> {
		return Promise.resolve(this.connection);
	}

	async releaseConnection(): Promise<void> {
		// The session closes the connection.
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
		// The session closes the connection.
	}
}
