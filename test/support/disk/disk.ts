/*
 * To be imported before the modules under test: from then on the syncs of the disk are counted, and
 * the disk can be made to refuse or to hold them.
 */
export const disk = {
	refuses: false,
	/** syncs of files, off the event loop */
	syncs: 0,
	/** syncs that the caller waits for: of new files and of folders */
	awaitedSyncs: 0,
	/** files that were opened by awaited calls and not closed since */
	openHandles: 0,
	/** closed files, off the event loop */
	closed: 0,
	/** syncs that wait for `release`; absent while none is held */
	held: undefined as Array<() => void> | undefined,
	/** calls off the event loop that have no answer yet, without those that are held */
	pending: 0,
	/** Resolves when no call is pending, and those who waited for the answers have gone on. */
	async settled(): Promise<void> {
		for (let quietTurns = 0; quietTurns < 5; quietTurns++) {
			await new Promise((resolve) => setImmediate(resolve));
			if (this.pending > 0) quietTurns = 0;
		}
	},
	/** Answers the syncs that are held, and holds no more. */
	release(): void {
		for (const answer of this.held?.splice(0) ?? []) answer();
		this.held = undefined;
	},
	reset(): void {
		this.release();
		Object.assign(this, { refuses: false, syncs: 0, awaitedSyncs: 0, openHandles: 0, closed: 0 });
	},
};

type Done = (error: Error | null, ...results: never[]) => void;

/** Counts a call as pending until it is answered. */
function pendingUntil(done: Done): Done {
	disk.pending++;
	return (...answer) => {
		disk.pending--;
		done(...answer);
	};
}

jest.mock('node:fs', () => {
	const fs = jest.requireActual<typeof import('node:fs')>('node:fs');
	const open = (path: string, flags: string, done: Done): void =>
		fs.open(path, flags, pendingUntil(done) as (error: Error | null, handle: number) => void);
	const fdatasync = (handle: number, done: Done): void => {
		disk.syncs++;
		const answer = (): void => {
			if (disk.refuses) done(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }));
			else fs.fdatasync(handle, pendingUntil(done));
		};
		if (disk.held === undefined) answer();
		else disk.held.push(answer);
	};
	const close = (handle: number, done: Done): void => {
		disk.closed++;
		fs.close(handle, pendingUntil(done));
	};
	const fsyncSync = (handle: number): void => {
		disk.awaitedSyncs++;
		fs.fsyncSync(handle);
	};
	const openSync: typeof fs.openSync = (...parameters) => {
		const handle = fs.openSync(...parameters);
		disk.openHandles++;
		return handle;
	};
	const closeSync = (handle: number): void => {
		fs.closeSync(handle);
		disk.openHandles--;
	};
	return { ...fs, open, fdatasync, close, fsyncSync, openSync, closeSync };
});
