import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { codeOf } from '../../base/errors';
import { storeErrors } from '../store-errors';
import { keepPrivate } from './file-modes';
import { applicationId } from './sqlite-connection';
import { asStoreError, isNoDatabase } from './sqlite-failures';
import { whileBusy } from './sqlite-session';
import { errorCodeOf } from '../../base/members';

/*
 * Only SQLite opens an existing database file; plain file calls never do, not even to read its
 * header. POSIX locks belong to process and file: closing any descriptor of the file drops the
 * locks of all connections that the process has to it. Another process that opens and closes the
 * database would then consider itself the last user and remove the write-ahead log.
 */

/**
 * Time to wait for a process that is just closing the file; it is short, because no user stops n8n
 * while a command waits.
 */
const openTimeoutMs = 3_000;

/**
 * Opens the file for writing or creates it. Changes only a file of this package or an empty one.
 *
 * @throws `error.gateway.store.foreignFile`, `error.gateway.store.notWritable`
 */
export async function openSqliteFile(file: string): Promise<DatabaseSync> {
	requireWritable(file);
	requireFile(file);
	createEmpty(file);
	// SQLite itself does not wait for locks, because that would block the event loop.
	const database = openDatabase(file, { timeout: 0 });
	try {
		await whileBusy(() => {
			requireOurs(database, file);
			database.exec('pragma journal_mode = wal');
			// Erased data must not survive in free pages (docs/adr/0004).
			database.exec(
				'pragma synchronous = normal; pragma foreign_keys = on; pragma secure_delete = on;' +
					'pragma cache_size = -8000; pragma temp_store = memory',
			);
		});
		for (const part of [file, `${file}-wal`, `${file}-shm`]) keepPrivate(part);
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

/**
 * Opens the file for writing or creates it, and excludes other processes and other connections of
 * this process until it is closed. The journal mode changes from write-ahead log to delete, because
 * this change succeeds only without other connections; the next shared opening restores the log.
 *
 * @throws `error.gateway.store.openElsewhere`, and the codes of `openSqliteFile`
 */
export async function openSqliteAlone(file: string): Promise<DatabaseSync> {
	requireWritable(file);
	requireFile(file);
	createEmpty(file);
	const database = openDatabase(file, { timeout: 0 });
	try {
		const refuseOrBeAlone = (): void => {
			requireOurs(database, file);
			beAlone(database);
		};
		await whileBusy(refuseOrBeAlone, { busyTimeoutMs: openTimeoutMs });
		database.exec(
			'pragma synchronous = full; pragma foreign_keys = on; pragma secure_delete = on;' +
				'pragma cache_size = -8000; pragma temp_store = memory',
		);
		keepPrivate(file);
		return database;
	} catch (error) {
		database.close();
		if (codeOf(error) !== storeErrors.busy.code) throw error;
		throw storeErrors.create('openElsewhere', {
			message: `The database file '${file}' is open in another program.`,
			cause: error,
		});
	}
}

/**
 * Takes the exclusive lock. In exclusive mode the lock of the last statement stays until the file
 * is closed.
 */
function beAlone(database: DatabaseSync): void {
	database.exec('pragma locking_mode = exclusive; pragma journal_mode = delete');
	database.exec('begin exclusive; commit');
	const mode = database.prepare('pragma journal_mode').get()?.['journal_mode'];
	if (mode !== 'delete') throw new TypeError(`The journal mode is '${String(mode)}'`);
}

/** Opens a second connection for reading while the first one writes. */
export function openSqliteReader(file: string): DatabaseSync {
	const existing = pathToFileURL(file);
	// A file that has just vanished must not be created again.
	existing.searchParams.set('mode', 'rw');
	const database = openDatabase(existing, { timeout: 1_000 });
	database.exec('pragma query_only = on; pragma cache_size = -4000');
	return database;
}

/**
 * Opens an existing file for reading only.
 *
 * @throws `error.gateway.store.foreignFile`, `error.gateway.store.notWritable`
 */
export async function openSqliteForLook(file: string): Promise<DatabaseSync> {
	requireWritable(file);
	requireFile(file);
	const database = openDatabase(file, { readOnly: true, timeout: 0 });
	try {
		await whileBusy(() => requireOurs(database, file));
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

export function versionOf(database: DatabaseSync): number {
	return pragma(database, 'user_version');
}

/**
 * Writes the application id and the schema version, inside the transaction that creates or changes
 * the tables.
 */
export function markOurs(database: DatabaseSync, version: number): void {
	database.exec(`pragma application_id = ${applicationId}; pragma user_version = ${version}`);
}

function openDatabase(
	file: string | URL,
	options: { timeout: number; readOnly?: boolean },
): DatabaseSync {
	try {
		return new DatabaseSync(file, options);
	} catch (error) {
		throw asStoreError(error);
	}
}

/**
 * Creates an empty file that has its final mode from the start. Never opens a descriptor of an
 * existing file.
 */
function createEmpty(file: string): void {
	try {
		closeSync(openSync(file, 'wx', 0o600));
	} catch (cause) {
		if (errorCodeOf(cause) !== 'EEXIST') throw notWritable(file, cause);
	}
}

function requireWritable(file: string): void {
	if (!existsSync(file)) return;
	try {
		accessSync(file, constants.R_OK | constants.W_OK);
		// Root may write to any file; the mode still shows the owner's intention.
		if ((statSync(file).mode & 0o222) === 0) throw new Error('the file is marked read-only');
	} catch (cause) {
		throw notWritable(file, cause);
	}
}

function requireFile(file: string): void {
	if (existsSync(file) && !statSync(file).isFile()) throw foreign(file);
}

/**
 * Refuses a file of another program. A database without tables is accepted, because a killed
 * creation can leave it. Tables are counted before the id is read: another process may commit both
 * in between.
 */
function requireOurs(database: DatabaseSync, file: string): void {
	const total = countTables(database, file);
	const id = pragma(database, 'application_id');
	if (id === applicationId) return;
	if (id !== 0 || total > 0) throw foreign(file);
}

/**
 * Counts the tables. This is the first read of the file, at which SQLite reports a file of another
 * type.
 */
function countTables(database: DatabaseSync, file: string): number {
	try {
		const count = database.prepare('select count(*) as total from sqlite_master');
		return Number(count.get()?.['total']);
	} catch (error) {
		throw isNoDatabase(error) ? foreign(file) : error;
	}
}

function pragma(database: DatabaseSync, name: 'application_id' | 'user_version'): number {
	return Number(database.prepare(`pragma ${name}`).get()?.[name]);
}

function notWritable(file: string, cause: unknown): Error {
	return storeErrors.create('notWritable', {
		message: `The database file '${file}' cannot be written.`,
		cause,
	});
}

function foreign(file: string): Error {
	return storeErrors.create('foreignFile', {
		message: `The file '${file}' was not made by this package.`,
	});
}
