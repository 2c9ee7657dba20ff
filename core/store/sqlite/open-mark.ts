import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { alphanumeric, type Random } from '../../base/random';
import { storeErrors } from '../store-errors';
import { keepPrivate } from './file-modes';
import { asStoreError, isBusy } from './sqlite-failures';
import { errorCodeOf } from '../../base/members';

const longestAttempts = 20;

/**
 * Locks the file without creating a journal file for a transaction that never writes. The file has
 * no pages to keep; SQLite would set 85 kB aside for them.
 */
const lockStatements = 'pragma cache_size = 1; pragma journal_mode = memory; begin exclusive';

/** Identification of open stores, and detection of ended processes. */
export interface Living {
	/** token of this open store */
	readonly token: string;
	/** Returns true only if the process with the token has certainly ended. */
	isGone(token: string): boolean;
	close(): void;
}

/** Rules for exclusive access to the database, during which no other process can have it open. */
export const onlyLiving: Living = {
	token: 'alone',
	isGone: (token) => token !== onlyLiving.token,
	close: () => undefined,
};

/**
 * Empty file beside the database, locked while the store is open: the operating system releases the
 * lock when the process ends, for any reason and in any container. The file stays empty. While it
 * is locked, only SQLite opens it, for the reason given in `sqlite-file.ts`.
 */
export class OpenMark implements Living {
	private constructor(
		private readonly path: string,
		readonly token: string,
		private readonly database: DatabaseSync,
	) {}

	/**
	 * Creates and locks a mark.
	 *
	 * @param file path of the database
	 * @throws `error.gateway.store.notWritable`, `error.gateway.store.ioFailed`
	 */
	static make(file: string, random: Random): OpenMark {
		removeLeftMarks(file);
		for (let attempt = 1; attempt <= longestAttempts; attempt++) {
			const token = random.text(16, alphanumeric);
			const path = pathOf(file, token);
			if (!createEmpty(path)) continue;
			const database = locked(path);
			if (database !== undefined) return new OpenMark(path, token, database);
		}
		throw storeErrors.create('notWritable', {
			message: `No file beside '${file}' can be locked.`,
		});
	}

	isGone(token: string): boolean {
		const path = `${this.path.slice(0, -this.token.length)}${token}`;
		return token !== this.token && (!existsSync(path) || isFree(path));
	}

	close(): void {
		this.database.close();
		tryToRemove(this.path);
	}
}

/** Removes the marks of killed processes; live processes have theirs locked. */
export function removeLeftMarks(file: string): void {
	const start = basename(pathOf(file, ''));
	for (const name of readdirSync(dirname(file))) {
		if (name.startsWith(start)) removeUnlessLocked(join(dirname(file), name));
	}
}

function pathOf(file: string, token: string): string {
	return `${file}-open-${token}`;
}

/** Creates an empty file that has its final mode from the start; false when the file exists. */
function createEmpty(path: string): boolean {
	try {
		closeSync(openSync(path, 'wx', 0o600));
		return true;
	} catch (cause) {
		if (errorCodeOf(cause) === 'EEXIST') return false;
		throw storeErrors.create('notWritable', {
			message: `The file '${path}' cannot be created.`,
			cause,
		});
	}
}

/** Locks a new mark; undefined when another process has just mistaken it for an abandoned one. */
function locked(path: string): DatabaseSync | undefined {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(path);
		database.exec(lockStatements);
		if (existsSync(path)) {
			keepPrivate(path);
			return database;
		}
	} catch (error) {
		if (!isBusy(error) && existsSync(path)) {
			database?.close();
			throw asStoreError(error);
		}
	}
	database?.close();
	tryToRemove(path);
	return undefined;
}

/**
 * Tests with a shared lock, which does not disturb other processes that test. A file that cannot be
 * opened counts as locked.
 */
function isFree(path: string): boolean {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(path, { readOnly: true });
		database.exec('select count(*) from sqlite_master');
		return true;
	} catch {
		return !existsSync(path);
	} finally {
		database?.close();
	}
}

/**
 * Removes the file while this process has it locked, so that no other process locks a file that has
 * lost its path.
 */
function removeUnlessLocked(path: string): void {
	let database: DatabaseSync | undefined;
	try {
		// A mark is always empty, so a file with content belongs to another program.
		if (statSync(path).size > 0) return;
		database = new DatabaseSync(path);
		database.exec(lockStatements);
		tryToRemove(path);
	} catch {
		return;
	} finally {
		database?.close();
	}
	// Windows cannot remove an open file, so removal is repeated after closing; a file that is open
	// elsewhere stays.
	tryToRemove(path);
}

/** Removes a file if possible; the next opening removes the rest. */
function tryToRemove(path: string): void {
	try {
		rmSync(path);
	} catch {
		// It is gone already, or open in another process, which prevents removal on Windows.
	}
}
