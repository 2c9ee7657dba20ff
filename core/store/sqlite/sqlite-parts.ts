import type { DatabaseSync } from 'node:sqlite';
import type { Cancellable } from '../../base/abort';
import type { AccountLife } from '../account-life';
import type { AccountSeal } from '../account-proof';
import { SqlLife, writeSeal } from '../account-rows';
import { migrate, schemaVersion } from '../migrator';
import { sqliteSchema } from '../migrations/schema-builder';
import { sealFoundSecrets } from '../found-secrets';
import type { Sealer } from '../sealer';
import { StatementBook } from '../statement-book';
import { storeErrors } from '../store-errors';
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

/** An account's file that is open for writing. */
export interface OpenedFile {
	readonly database: DatabaseSync;
	readonly writer: SqliteSession;
	readonly book: StatementBook;
	readonly identity: FileIdentity;
}

/** @throws as `openSqliteFile` */
export async function openFile(file: string, busyMs?: number): Promise<OpenedFile> {
	const database = await openSqliteFile(file);
	return openedFile(database, new FileIdentity(file, `${file}-wal`), busyMs);
}

/** @throws as `openSqliteAlone` */
export async function openFileAlone(file: string): Promise<OpenedFile> {
	return openedFile(await openSqliteAlone(file), new FileIdentity(file));
}

function openedFile(database: DatabaseSync, identity: FileIdentity, busyMs?: number): OpenedFile {
	const connection = new SqliteConnection(database);
	const writer = new SqliteSession(connection, busyMs, identity);
	return { database, writer, identity, book: new StatementBook(queryBuilder(connection), true) };
}

/** A second connection to read from while the first one writes. */
export function openReader(file: string, identity: FileIdentity): SqliteSession {
	const connection = new SqliteConnection(openSqliteReader(file), true);
	return new SqliteSession(connection, undefined, identity);
}

/**
 * Whether there is an account in the file. A creation that was killed before its end left none.
 *
 * @throws `error.gateway.store.newerSchema`
 */
export async function hasAccount(database: DatabaseSync): Promise<boolean> {
	const version = await whileBusy(() => versionOf(database));
	if (version <= schemaVersion) return version !== 0;
	throw storeErrors.create('newerSchema', {
		message: `The file has schema version ${version}; this package knows up to ${schemaVersion}.`,
		facts: { version },
	});
}

/**
 * Tables, seal and the file's mark appear with one commit, so whenever a creation is killed the next
 * one finds nothing and starts anew. Of two processes the second finds an existing account.
 */
export async function createAccount(
	{ database, writer, book }: OpenedFile,
	account: { readonly seal: () => Promise<AccountSeal>; readonly life?: AccountLife },
	options: Cancellable,
): Promise<void> {
	await writer.run(
		'begin immediate',
		async (executor) => {
			if (versionOf(database) !== 0) return;
			await migrate(queryBuilder(writer.connection), sqliteSchema);
			await writeSeal(executor, book, await account.seal());
			if (account.life !== undefined) await new SqlLife(executor, book).set(account.life);
			markOurs(database, schemaVersion);
		},
		options,
	);
}

/** Only after the proof: whoever cannot open an account does not change its file either. */
export async function updateSchema(
	{ database, writer, book }: OpenedFile,
	sealer: Sealer,
	options: Cancellable = {},
): Promise<void> {
	if ((await whileBusy(() => versionOf(database))) === schemaVersion) return;
	// What is sealed now is not to be read in pages that SQLite has freed.
	database.exec('pragma secure_delete = on');
	await writer.run(
		'begin immediate',
		async (executor) => {
			await migrate(queryBuilder(writer.connection), sqliteSchema);
			await sealFoundSecrets({ executor, book, sealer });
			markOurs(database, schemaVersion);
		},
		options,
	);
	database.exec('pragma secure_delete = off');
}
