import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';
import { storeErrors } from '../store-errors';

const delayMs = 15;
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
 */
export class LogSync {
	private handle: Promise<number> | undefined;

	private timer: NodeJS.Timeout | undefined;

	private running: Promise<void> | undefined;

	private following: Promise<void> | undefined;

	/** @param file absent for a database in memory */
	constructor(private readonly file: string | undefined) {}

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

	/** Writes what was committed soon, together with the commits that follow at once. */
	soon(): void {
		if (this.file === undefined) return;
		// A failure here breaks no promise: callers that need the disk's confirmation use `now`.
		this.timer ??= setTimeout(() => void this.now().catch(() => undefined), delayMs).unref();
	}

	async close(): Promise<void> {
		clearTimeout(this.timer);
		await this.following?.catch(() => undefined);
		await this.running?.catch(() => undefined);
		const { handle } = this;
		if (handle !== undefined) await closeFile(await handle).catch(() => undefined);
	}

	private start(): Promise<void> {
		const started = this.sync().finally(() => {
			this.running = undefined;
		});
		this.running = started;
		return started;
	}

	private async sync(): Promise<void> {
		try {
			this.handle ??= openFile(`${this.file}-wal`, 'r+');
			await syncFile(await this.handle);
		} catch (cause) {
			this.handle = undefined;
			throw storeErrors.create('ioFailed', {
				message: 'The disk did not confirm a change that must not be lost.',
				cause,
			});
		}
	}
}
