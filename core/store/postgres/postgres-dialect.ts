import {
	Kysely,
	PostgresAdapter,
	PostgresIntrospector,
	PostgresQueryCompiler,
	type DatabaseConnection,
	type Dialect,
	type Driver,
} from '../kysely';
import type { AnyDatabase } from '../sql/compiled-statement-cache';

/**
 * Creates the Kysely builder that compiles every statement; tables are created on the given
 * connection. `PostgresWriter` begins and ends transactions.
 */
export function queryBuilder(connection?: DatabaseConnection): AnyDatabase {
	const dialect: Dialect = {
		createDriver: () => new SharedConnectionDriver(connection),
		createQueryCompiler: () => new PostgresQueryCompiler(),
		createAdapter: () => new PostgresAdapter(),
		createIntrospector: (db) => new PostgresIntrospector(db),
	};
	return new Kysely<Record<string, Record<string, unknown>>>({ dialect });
}

class SharedConnectionDriver implements Driver {
	constructor(private readonly connection: DatabaseConnection | undefined) {}

	async init(): Promise<void> {
		// The connection is already open.
	}

	acquireConnection(): Promise<DatabaseConnection> {
		const { connection } = this;
		if (connection !== undefined) return Promise.resolve(connection);
		return Promise.reject(new TypeError('This builder only compiles'));
	}

	async releaseConnection(): Promise<void> {
		// The owner of the connection closes it.
	}

	readonly beginTransaction = refuseTransaction;

	readonly commitTransaction = refuseTransaction;

	readonly rollbackTransaction = refuseTransaction;

	async destroy(): Promise<void> {
		// The owner of the connection closes it.
	}
}

function refuseTransaction(): Promise<never> {
	return Promise.reject(new TypeError('Transactions go through PostgresWriter'));
}
