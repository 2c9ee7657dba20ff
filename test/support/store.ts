import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../core/base/clock';
import { systemRandom } from '../../core/base/random';
import { StoreKey } from '../../core/crypto/sealing';
import { loadSodium } from '../../core/crypto/sodium';
import { createTables } from '../../core/store/schema/create-tables';
import { sqliteSchema } from '../../core/store/schema/schema-dialect';
import { openStore, type AccountStore } from '../../core/store/open-store';
import { Sealer } from '../../core/store/sql/sealer';
import { LogSync } from '../../core/store/sqlite/log-sync';
import { onlyLiving } from '../../core/store/sqlite/open-mark';
import { SqliteConnection } from '../../core/store/sqlite/sqlite-connection';
import { queryBuilder } from '../../core/store/sqlite/sqlite-dialect';
import { SqliteSession } from '../../core/store/sqlite/sqlite-session';
import { SqliteStore } from '../../core/store/sqlite/sqlite-store';
import { CompiledStatementCache } from '../../core/store/sql/compiled-statement-cache';
import type { Store } from '../../core/store/store';

export interface TestStore {
	readonly store: AccountStore;
	readonly folder: string;
	/** Closes the store and removes its folder. */
	dispose(): Promise<void>;
}

export const testAccount = (folder: string, clientSecret = 'secret') => ({
	account: 'default',
	store: { kind: 'sqlite' as const, folder },
	backbone: { clientSecret },
});

/** A real SQLite store in a temporary folder. */
export async function openTestStore(clock: Clock = systemClock): Promise<TestStore> {
	const folder = temporaryFolder();
	const store = await openStore(testAccount(folder), { clock, random: systemRandom });
	return {
		store,
		folder,
		dispose: async () => {
			await store.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** The same store on a database in memory: one connection for readers and writers. */
export async function openMemoryStore(
	clock: Clock = systemClock,
	database = new DatabaseSync(':memory:'),
	sealsContents = true,
	key = new StoreKey(systemRandom.bytes(32)),
): Promise<Store> {
	await loadSodium();
	const connection = new SqliteConnection(database);
	const builder = queryBuilder(connection);
	const session = new SqliteSession(connection);
	const [table] = await connection.query("select 1 from sqlite_schema where name = 'account'", []);
	if (table === undefined) {
		await session.run('begin immediate', () => createTables(builder, sqliteSchema));
	}
	return new SqliteStore({
		writer: session,
		reader: session,
		compiled: new CompiledStatementCache(builder, false),
		sealer: new Sealer(key, systemRandom, sealsContents),
		clock,
		log: new LogSync(undefined),
		living: onlyLiving,
	});
}

export function temporaryFolder(): string {
	return mkdtempSync(join(tmpdir(), 'enmeshed-store-'));
}
