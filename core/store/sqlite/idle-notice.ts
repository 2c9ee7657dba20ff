/** Milliseconds without use until the notice. */
export interface IdleTimes {
	readonly usual: number;
	/** for all notices beyond `mostWarm` that wait in this process */
	readonly crowded: number;
	/** number of notices that may wait for the usual time */
	readonly mostWarm: number;
}

/**
 * Calls back once after a time without use. Sets a timer only after a use, so that an idle account
 * has none. With many accounts in use the time is short: memory that they all hold at once stays
 * with the process, because it is returned to the system only in large pieces.
 */
export class IdleNotice {
	private static waiting = 0;

	private timer: NodeJS.Timeout | undefined;

	private wasUsed = false;

	private isClosed = false;

	constructor(
		private readonly times: IdleTimes,
		private readonly onIdle: () => void,
	) {}

	noteUse(): void {
		this.wasUsed = true;
		if (!this.isClosed) this.timer ??= this.start();
	}

	close(): void {
		this.isClosed = true;
		this.stop();
	}

	private start(): NodeJS.Timeout {
		const { usual, crowded, mostWarm } = this.times;
		const afterMs = IdleNotice.waiting < mostWarm ? usual : crowded;
		IdleNotice.waiting++;
		this.wasUsed = false;
		return setTimeout(() => {
			this.stop();
			if (this.wasUsed) this.timer = this.start();
			else this.onIdle();
		}, afterMs).unref();
	}

	private stop(): void {
		if (this.timer === undefined) return;
		clearTimeout(this.timer);
		this.timer = undefined;
		IdleNotice.waiting--;
	}
}
