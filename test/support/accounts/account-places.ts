import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { GatewayConfigInput } from '../../../core';
import type { TestDatabase } from '../postgres/postgres';

/** Where processes share an account, and how a test looks into it past the store. */
export interface Place {
	readonly config: Required<Pick<GatewayConfigInput, 'account' | 'store'>> &
		Pick<GatewayConfigInput, 'passphrase'>;
	query<Row extends object>(sql: (table: (name: string) => string) => string): Promise<Row[]>;
	/** whether a process has begun to write and not ended */
	isBeingWritten(): Promise<boolean>;
}

export function placeInPostgres(database: TestDatabase, chosen = database.account()): Place {
	const { account, store, passphrase } = chosen;
	const table = (name: string): string => `"enmeshed:${account}".${name}`;
	return {
		config: { account, store, passphrase: passphrase ?? '' },
		query: (sql) => database.query(sql(table)),
		async isBeingWritten() {
			const writers = await database.query(
				`select 1 from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock'
					and database = (select oid from pg_database where datname = current_database())`,
			);
			return writers.length > 0;
		},
	};
}

export function placeInSqlite(folder: string): Place {
	const inFile = <Result>(work: (database: DatabaseSync) => Result): Result => {
		const database = new DatabaseSync(join(folder, 'default.sqlite'));
		try {
			return work(database);
		} finally {
			database.close();
		}
	};
	return {
		config: { account: 'default', store: { kind: 'sqlite', folder } },
		query: (sql) =>
			Promise.resolve(inFile((database) => database.prepare(sql((name) => name)).all() as never[])),
		isBeingWritten: () => Promise.resolve(inFile(isLocked)),
	};
}

function isLocked(database: DatabaseSync): boolean {
	try {
		database.exec('pragma busy_timeout = 0; begin immediate; rollback');
		return false;
	} catch (error) {
		if (/database is locked/.test(String(error))) return true;
		throw error;
	}
}
