import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';
import { storeErrors } from '../store-errors';

const delayMs = 15;
/** Fewer are not worth the syncs of a checkpoint. */
const commitsPerCheckpoint = 50;
const openFile = promisify(open);
const syncFile = promisify(fdatasync);
const closeFile = promisify(close);

/**
 * Brings the write-ahead log to the disk, off the event loop.
 *
 * With synchronous=NORMAL a commit is in the operating system's hands when it returns: killing the
 * process loses nothing. A power failure could take back what was committed since the last
 * checkpoint, so the log is synced a moment after each commit, and before the commit is told where
 * nobody could be asked again (external events, keys of our identity).
 *
 * When nobody needs the store for a moment, the log is carried over into the database. SQLite does so by
 * itself in the commit that makes the log too long, and whoever made it waits for the disk.
 */
export class LogSync {
	private handle: Promise<number> | undefined;

	private timer: NodeJS.Timeout | undefined;

	private running: Promise<void> | undefined;

	private following: Promise<void> | undefined;

	/** since the last checkpoint of ours */
	private commits = 0;

	private isSynced = true;

	/** whether somebody has committed or read since the last pause */
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
	 * @throws `error.gateway.store.ioFailed` when the disk refuses: the commit has happened, and could be
	 * lost with the power
	 */
	async now(): Promise<void> {
		if (this.file === undefined) return;
		clearTimeout(this.timer);
		this.timer = undefined;
		if (this.running === undefined) return await this.start();
		// The sync under way may have begun before our commit: all who come now share the next one.
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

	/** Somebody reads, and would have to wait. */
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
