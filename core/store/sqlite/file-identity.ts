import { statSync } from 'node:fs';
import { storeErrors } from '../store-errors';

/** Device and inode number show whether another file has taken the name of this one. */
interface Identity {
	readonly dev: bigint;
	readonly ino: bigint;
}

/** Reads are told later than commits, for a look costs a part of what a small read does. */
const readIntervalMs = 1_000;

/**
 * Whether the files of an open database are still those at their paths. SQLite goes on with a file that
 * was deleted or replaced, and all that is committed to it is lost with the process.
 */
export class FileIdentity {
	private readonly first = new Map<string, Identity>();

	private lastLookMs = -readIntervalMs;

	/**
	 * @param file exists and is open
	 * @param log absent where there is none; remembered as soon as it is there
	 */
	constructor(
		private readonly file: string,
		private readonly log?: string,
	) {
		this.remember(file);
	}

	/** @throws `error.gateway.store.databaseReplaced` */
	requireSame(): void {
		this.requireSameFile(this.file, 'database file');
		if (this.log === undefined) return;
		if (this.first.has(this.log)) this.requireSameFile(this.log, 'write-ahead log');
		else this.remember(this.log);
	}

	/**
	 * As `requireSame`, a second after the last time at the earliest.
	 *
	 * @throws `error.gateway.store.databaseReplaced`
	 */
	requireSameForRead(): void {
		const now = performance.now();
		if (now - this.lastLookMs < readIntervalMs) return;
		this.requireSame();
		this.lastLookMs = now;
	}

	private remember(path: string): void {
		const identity = identityAt(path);
		if (identity !== undefined) this.first.set(path, identity);
	}

	private requireSameFile(path: string, name: string): void {
		const first = this.first.get(path);
		const now = identityAt(path, first);
		if (now?.ino === first?.ino && now?.dev === first?.dev) return;
		const what = now === undefined ? 'was deleted or moved away' : 'was replaced by another one';
		// A read that comes next finds out for itself.
		this.lastLookMs = -readIntervalMs;
		throw storeErrors.create('databaseReplaced', {
			message: `The ${name} '${path}' ${what} while the account was open.`,
		});
	}
}

/**
 * Undefined where no file is. Asks the path and opens nothing, which would drop SQLite's locks.
 *
 * @param otherwise for a path that cannot be asked: whether its file works, SQLite finds out
 */
function identityAt(path: string, otherwise?: Identity): Identity | undefined {
	try {
		return statSync(path, { bigint: true, throwIfNoEntry: false });
	} catch {
		return otherwise;
	}
}
