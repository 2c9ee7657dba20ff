import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { codeOf } from '../../base/errors';
import { storeErrors } from '../store-errors';
import { keepPrivate } from './file-modes';
import { asStoreError, isNoDatabase } from './sqlite-failures';
import { whileBusy } from './sqlite-session';

/*
 * An existing database file is opened by SQLite only, never with plain file calls, not even to read
 * its header. POSIX locks belong to process and file: closing any descriptor of the file drops the
 * locks of all connections that the process has to it. Another process that opens and closes the
 * database then takes itself for the last one and removes the write-ahead log.
 */

/** `enmS`: says in the file's header that it is ours. */
const applicationId = 0x656e6d53;
/** Writes it, as `markOurs` did; a commit that changes nothing. */
export const markStatement = `pragma application_id = ${applicationId}`;
/** Somebody who just closes it is waited for; nobody stops n8n while a command waits. */
const alonePatienceMs = 3_000;

/**
 * Opens the file for writing or creates it. Only a file that is ours, or still empty, is touched.
 *
 * @throws `error.gateway.store.foreignFile`, `error.gateway.store.notWritable`
 */
export async function openSqliteFile(file: string): Promise<DatabaseSync> {
	requireWritable(file);
	requireFile(file);
	createEmpty(file);
	// Waiting for locks happens outside of SQLite, where it does not block the event loop.
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
 * Opens the file for writing or creates it, and keeps everybody else out until it is closed: other
 * processes, and other connections of this one. The write-ahead log is given up for that, because the
 * change needs to be alone; whoever opens the file next has it again.
 *
 * @throws `error.gateway.store.openElsewhere`, and what `openSqliteFile` throws
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
		await whileBusy(refuseOrBeAlone, { patienceMs: alonePatienceMs });
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

/** In exclusive mode the lock of the last statement stays until the file is closed. */
function beAlone(database: DatabaseSync): void {
	database.exec('pragma locking_mode = exclusive; pragma journal_mode = delete');
	database.exec('begin exclusive; commit');
	const { journal_mode: mode } = database.prepare('pragma journal_mode').get() as {
		journal_mode: string;
	};
	if (mode !== 'delete') throw new TypeError(`The journal mode is '${mode}'`);
}

/** A second connection to read from while the first one writes. */
export function openSqliteReader(file: string): DatabaseSync {
	const database = openDatabase(file, { timeout: 1_000 });
	database.exec('pragma query_only = on; pragma cache_size = -4000');
	return database;
}

/**
 * Opens an existing file only to look at it.
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

/** Inside the transaction that creates or changes the tables: all of it is there or nothing. */
export function markOurs(database: DatabaseSync, version: number): void {
	database.exec(`${markStatement}; pragma user_version = ${version}`);
}

function openDatabase(
	file: string,
	options: { timeout: number; readOnly?: boolean },
): DatabaseSync {
	try {
		return new DatabaseSync(file, options);
	} catch (error) {
		throw asStoreError(error);
	}
}

/** With the mode it shall have from the first moment on. No descriptor of an existing file is opened. */
function createEmpty(file: string): void {
	try {
		closeSync(openSync(file, 'wx', 0o600));
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw notWritable(file, cause);
	}
}

function requireWritable(file: string): void {
	if (!existsSync(file)) return;
	try {
		accessSync(file, constants.R_OK | constants.W_OK);
		// Root may write to anything; the mode still says what the owner meant.
		if ((statSync(file).mode & 0o222) === 0) throw new Error('the file is marked read-only');
	} catch (cause) {
		throw notWritable(file, cause);
	}
}

function requireFile(file: string): void {
	if (existsSync(file) && !statSync(file).isFile()) throw foreign(file);
}

/**
 * A database without tables is what a creation leaves that was killed at once. Tables are looked for
 * first: another process may commit the id together with them in between.
 */
function requireOurs(database: DatabaseSync, file: string): void {
	const total = countTables(database, file);
	const id = pragma(database, 'application_id');
	if (id === applicationId) return;
	if (id !== 0 || total > 0) throw foreign(file);
}

/** The first look into a file: here SQLite says that it is something else. */
function countTables(database: DatabaseSync, file: string): number {
	try {
		const count = database.prepare('select count(*) as total from sqlite_master');
		return (count.get() as { total: number }).total;
	} catch (error) {
		throw isNoDatabase(error) ? foreign(file) : error;
	}
}

function pragma(database: DatabaseSync, name: 'application_id' | 'user_version'): number {
	const row = database.prepare(`pragma ${name}`).get() as Record<typeof name, number>;
	return row[name];
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
