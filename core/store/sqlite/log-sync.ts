import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';
import { storeErrors } from '../store-errors';

const delayMs = 15;
/** Smallest number of commits that is worth the syncs of a checkpoint. */
const commitsPerCheckpoint = 50;
const openFile = promisify(open);
const syncFile = promisify(fdatasync);
const closeFile = promisify(close);

/**
 * Writes the write-ahead log to the disk, off the event loop.
 *
 * With synchronous=NORMAL the operating system has a commit when it returns, so killing the process
 * loses nothing. A power failure could undo all commits since the last checkpoint. The log is
 * therefore synced shortly after each commit, and before the commit is reported where no other
 * party could supply the data again (external events, keys of the own identity).
 *
 * During a pause in the use of the store, a checkpoint copies the log into the database. Otherwise
 * SQLite would do so in the commit that makes the log too long, and the caller of that commit would
 * wait for the disk: an attribute takes 1.5 times as long then, a mail 1.1 times
 * (`npm run bench -- --against`).
 */
export class LogSync {
	private handle: Promise<number> | undefined;

	private timer: NodeJS.Timeout | undefined;

	private running: Promise<void> | undefined;

	private following: Promise<void> | undefined;

	/** commits since the last checkpoint by this class */
	private commits = 0;

	private isSynced = true;

	/** true after a commit or a read since the last pause */
	private isInUse = false;

	private isClosed = false;

	/**
	 * @param file absent for a database in memory
	 * @param checkpoint must not throw
	 */
	constructor(
		private readonly file: string | undefined,
		private readonly checkpoint: () => void = () => undefined,
	) {}

	/**
	 * Resolves when everything that was committed before this call is on the disk.
	 *
	 * @throws `error.gateway.store.ioFailed` when the disk fails: the commit has succeeded, but a
	 * power failure could undo it
	 */
	async now(): Promise<void> {
		if (this.file === undefined) return;
		clearTimeout(this.timer);
		this.timer = undefined;
		if (this.running === undefined) return await this.start();
		// The running sync may have begun before this commit, so all callers from now on share the next
		// one.
		this.following ??= this.running
			.catch(() => undefined)
			.then(() => {
				this.following = undefined;
				return this.start();
			});
		await this.following;
	}

	soon(): void {
		if (this.file === undefined) return;
		this.commits++;
		this.isSynced = false;
		this.isInUse = true;
		this.timer ??= this.startTimer();
	}

	/** Notes a read, which a checkpoint would delay. */
	noteUse(): void {
		this.isInUse = true;
	}

	async close(): Promise<void> {
		this.isClosed = true;
		clearTimeout(this.timer);
		await this.following?.catch(() => undefined);
		await this.running?.catch(() => undefined);
		const { handle } = this;
		if (handle !== undefined) await closeFile(await handle).catch(() => undefined);
	}

	private startTimer(): NodeJS.Timeout {
		// A failure here breaks no promise: callers that need the disk's confirmation use `now`.
		return setTimeout(() => void this.afterPause().catch(() => undefined), delayMs).unref();
	}

	private async afterPause(): Promise<void> {
		this.timer = undefined;
		if (!this.isSynced) await this.now();
		if (this.isClosed || this.commits < commitsPerCheckpoint) return;
		if (this.isInUse) {
			this.isInUse = false;
			this.timer ??= this.startTimer();
			return;
		}
		this.commits = 0;
		this.checkpoint();
	}

	private start(): Promise<void> {
		const started = this.sync().finally(() => {
			this.running = undefined;
		});
		this.running = started;
		return started;
	}

	private async sync(): Promise<void> {
		this.isSynced = true;
		try {
			this.handle ??= openFile(`${this.file}-wal`, 'r+');
			await syncFile(await this.handle);
		} catch (cause) {
			this.handle = undefined;
			this.isSynced = false;
			throw storeErrors.create('ioFailed', {
				message: 'The disk did not confirm a change that must not be lost.',
				cause,
			});
		}
	}
}
