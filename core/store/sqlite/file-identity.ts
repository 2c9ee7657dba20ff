import { statSync } from 'node:fs';
import { storeErrors } from '../store-errors';

/** Device and inode number, which show whether another file has taken the path of this one. */
interface Identity {
	readonly dev: bigint;
	readonly ino: bigint;
}

/**
 * Interval of the checks by reads. They are rarer than those by commits, because one check costs a
 * noticeable part of a small read.
 */
const readIntervalMs = 1_000;

/**
 * Checks that the files of an open database are still those at their paths. SQLite continues to use
 * a deleted or replaced file, and all commits to it are lost when the process ends.
 */
export class FileIdentity {
	private readonly first = new Map<string, Identity>();

	private lastLookMs = -readIntervalMs;

	/**
	 * @param file existing, open file
	 * @param log absent without a write-ahead log; remembered as soon as the file exists
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
	 * Performs the check of `requireSame`, at most once a second.
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
		// The reset lets the next read repeat the check.
		this.lastLookMs = -readIntervalMs;
		throw storeErrors.create('databaseReplaced', {
			message: `The ${name} '${path}' ${what} while the account was open.`,
		});
	}
}

/**
 * Identifies the file at a path; undefined where there is none. Only queries the path, because
 * opening and closing the file would drop SQLite's locks.
 *
 * @param otherwise result for a path that cannot be queried: SQLite itself finds out whether the
 * file works
 */
function identityAt(path: string, otherwise?: Identity): Identity | undefined {
	try {
		return statSync(path, { bigint: true, throwIfNoEntry: false });
	} catch {
		return otherwise;
	}
}
