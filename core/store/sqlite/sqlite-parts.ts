import type { DatabaseSync } from 'node:sqlite';
import type { Cancellable } from '../../base/abort';
import type { AccountState } from '../account/account-state';
import type { AccountSeal } from '../account/account-proof';
import { SqlAccountState, writeSeal } from '../account/account-rows';
import { createTables } from '../schema/create-tables';
import { sqliteSchema } from '../schema/schema-dialect';
import { requireKnownSchema, schemaVersion, updateTables } from '../schema/schema-version';
import { CompiledStatementCache } from '../sql/compiled-statement-cache';
import { FileIdentity } from './file-identity';
import { SqliteConnection } from './sqlite-connection';
import { queryBuilder } from './sqlite-dialect';
import {
	markOurs,
	openSqliteAlone,
	openSqliteFile,
	openSqliteReader,
	versionOf,
} from './sqlite-file';
import { SqliteSession, whileBusy } from './sqlite-session';

/** File of an account that is open for writing. */
export interface OpenedFile {
	readonly database: DatabaseSync;
	readonly writer: SqliteSession;
	readonly compiled: CompiledStatementCache;
	readonly identity: FileIdentity;
}

/**
 * Opens the file of an account for shared use.
 *
 * @throws the codes of `openSqliteFile`
 */
export async function openFile(file: string, busyMs?: number): Promise<OpenedFile> {
	const database = await openSqliteFile(file);
	return openedFile(database, new FileIdentity(file, `${file}-wal`), busyMs);
}

/**
 * Opens the file of an account exclusively.
 *
 * @throws the codes of `openSqliteAlone`
 */
export async function openFileAlone(file: string): Promise<OpenedFile> {
	return openedFile(await openSqliteAlone(file), new FileIdentity(file));
}

function openedFile(database: DatabaseSync, identity: FileIdentity, busyMs?: number): OpenedFile {
	const connection = new SqliteConnection(database);
	const writer = new SqliteSession(connection, busyMs, identity);
	return {
		database,
		writer,
		identity,
		compiled: new CompiledStatementCache(queryBuilder(connection), false),
	};
}

/** Opens a second connection for reading while the first one writes. */
export function openReader(file: string, identity: FileIdentity): SqliteSession {
	const connection = new SqliteConnection(openSqliteReader(file), () => {
		// The file at the path may be another one by now.
		identity.requireSame();
		return openSqliteReader(file);
	});
	return new SqliteSession(connection, undefined, identity);
}

/**
 * Returns true if the file contains an account. A killed creation leaves none.
 *
 * @throws `error.gateway.store.newerSchema`, `error.gateway.store.earlierSchema`
 */
export async function hasAccount(database: DatabaseSync): Promise<boolean> {
	const version = await whileBusy(() => versionOf(database));
	requireKnownSchema(version);
	return version !== 0;
}

/**
 * Creates tables, seal and the file's mark in one commit, so that after a killed creation the next
 * one finds nothing and starts from the beginning. If two processes create the account, the second
 * finds it existing.
 */
export async function createAccount(
	{ database, writer, compiled }: OpenedFile,
	account: { readonly seal: () => Promise<AccountSeal>; readonly accountState?: AccountState },
	options: Cancellable,
): Promise<void> {
	await writer.run(
		'begin immediate',
		async (executor) => {
			if (versionOf(database) !== 0) return;
			await createTables(queryBuilder(writer.connection), sqliteSchema);
			await writeSeal(executor, compiled, await account.seal());
			if (account.accountState !== undefined)
				await new SqlAccountState(executor, compiled).set(account.accountState);
			markOurs(database, schemaVersion());
		},
		options,
	);
}

/**
 * Updates the schema only after the proof, so that callers who cannot open an account do not
 * change its file either.
 */
export async function updateSchema(
	{ database, writer }: OpenedFile,
	options: Cancellable = {},
): Promise<void> {
	if ((await whileBusy(() => versionOf(database))) === schemaVersion()) return;
	await writer.run(
		'begin immediate',
		async () => {
			await updateTables(queryBuilder(writer.connection), sqliteSchema, versionOf(database));
			markOurs(database, schemaVersion());
		},
		options,
	);
}
