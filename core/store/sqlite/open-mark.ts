import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { alphanumeric, type Random } from '../../base/random';
import { storeErrors } from '../store-errors';
import { keepPrivate } from './file-modes';
import { asStoreError, isBusy } from './sqlite-failures';

const longestAttempts = 20;

/** Without a file for the journal of a transaction that never writes. */
const lockStatements = 'pragma journal_mode = memory; begin exclusive';

/** Tells one open store from all others, and whether the process of another one still lives. */
export interface Living {
	/** of this open store */
	readonly token: string;
	/** Only when it is known for certain. */
	isGone(token: string): boolean;
	close(): void;
}

/** For who has the database alone: nobody else can be living. */
export const onlyLiving: Living = {
	token: 'alone',
	isGone: (token) => token !== onlyLiving.token,
	close: () => undefined,
};

/**
 * An empty file beside the database, locked as long as the store is open: the system takes the lock back
 * when the process ends, however it ends, and in whatever container it ran. Nothing is written to the
 * file. SQLite alone opens it while it is locked, for the reason that `sqlite-file.ts` names.
 */
export class OpenMark implements Living {
	private constructor(
		private readonly path: string,
		readonly token: string,
		private readonly database: DatabaseSync,
	) {}

	/**
	 * @param file the database
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

/** Removes what processes left behind that were killed; those that live have theirs locked. */
export function removeLeftMarks(file: string): void {
	const start = basename(pathOf(file, ''));
	for (const name of readdirSync(dirname(file))) {
		if (name.startsWith(start)) removeUnlessLocked(join(dirname(file), name));
	}
}

function pathOf(file: string, token: string): string {
	return `${file}-open-${token}`;
}

/** False when there is one. With the mode it shall have from the first moment on. */
function createEmpty(path: string): boolean {
	try {
		closeSync(openSync(path, 'wx', 0o600));
		return true;
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
		throw storeErrors.create('notWritable', {
			message: `The file '${path}' cannot be created.`,
			cause,
		});
	}
}

/** Undefined when somebody has just taken the new file for one that was left behind. */
function locked(path: string): DatabaseSync | undefined {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(path, { timeout: 0 });
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

/** A lock that is shared disturbs nobody else who looks. What cannot be looked at may be locked. */
function isFree(path: string): boolean {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(path, { readOnly: true, timeout: 0 });
		database.exec('select count(*) from sqlite_master');
		return true;
	} catch {
		return !existsSync(path);
	} finally {
		database?.close();
	}
}

/** While it is locked by us, so that nobody locks a file that has lost its name. */
function removeUnlessLocked(path: string): void {
	let database: DatabaseSync | undefined;
	try {
		// With content it is not ours.
		if (statSync(path).size > 0) return;
		database = new DatabaseSync(path, { timeout: 0 });
		database.exec(lockStatements);
		tryToRemove(path);
	} catch {
		return;
	} finally {
		database?.close();
	}
	// Windows removes no file that is open; one that is open elsewhere stays there as well.
	tryToRemove(path);
}

/** What stays is removed by the next opening. */
function tryToRemove(path: string): void {
	try {
		rmSync(path, { force: true });
	} catch {
		// Open in another process, which Windows minds.
	}
}
