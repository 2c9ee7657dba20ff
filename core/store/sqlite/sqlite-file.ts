import { chmodSync, closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { accessSync, constants } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { storeErrors } from '../store-errors';

/** `enmS`: says in the file's header that it is ours. */
const applicationId = 0x656e6d53;
const sqliteHeader = 'SQLite format 3\0';

/**
 * Opens the file or creates it. Write-ahead log with synchronous=NORMAL: a killed process loses
 * nothing that was committed; a power failure may lose the newest commits, never the file.
 *
 * @throws `error.gateway.store.foreignFile`, `error.gateway.store.notWritable`
 */
export function openSqliteFile(file: string): DatabaseSync {
	requireOurs(file);
	const database = new DatabaseSync(file, { timeout: 20 });
	try {
		const { application_id: id } = database.prepare('pragma application_id').get() as {
			application_id: number;
		};
		const tables = database.prepare('select count(*) as total from sqlite_master').get() as {
			total: number;
		};
		if (id !== applicationId && (id !== 0 || tables.total > 0)) throw foreign(file);
		if (id !== applicationId) database.exec(`pragma application_id = ${applicationId}`);
		configure(database);
		// Others on this machine must not read names and messages.
		for (const part of [file, `${file}-wal`, `${file}-shm`]) restrict(part);
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

/** A second connection to read from while the first one writes. */
export function openSqliteReader(file: string): DatabaseSync {
	const database = new DatabaseSync(file, { timeout: 1_000 });
	database.exec('pragma query_only = on; pragma cache_size = -4000');
	return database;
}

function configure(database: DatabaseSync): void {
	database.exec('pragma journal_mode = wal');
	database.exec(
		'pragma synchronous = normal; pragma foreign_keys = on; pragma cache_size = -8000; pragma temp_store = memory',
	);
}

function requireOurs(file: string): void {
	if (!existsSync(file)) return;
	try {
		accessSync(file, constants.R_OK | constants.W_OK);
		// Root may write to anything; the mode still says what the owner meant.
		if ((statSync(file).mode & 0o222) === 0) throw new Error('the file is marked read-only');
	} catch (cause) {
		throw storeErrors.create('notWritable', {
			message: `The database file '${file}' cannot be written.`,
			cause,
		});
	}
	const header = Buffer.alloc(16);
	const handle = openSync(file, 'r');
	try {
		const length = readSync(handle, header, 0, 16, 0);
		if (length > 0 && header.toString('latin1') !== sqliteHeader) throw foreign(file);
	} finally {
		closeSync(handle);
	}
}

function restrict(path: string): void {
	if (existsSync(path) && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
}

function foreign(file: string): Error {
	return storeErrors.create('foreignFile', {
		message: `The file '${file}' was not made by this package.`,
	});
}
