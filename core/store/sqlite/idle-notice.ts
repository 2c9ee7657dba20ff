/**
 * Calls back once after a time without use. Sets a timer only after a use, so that an idle account
 * has none.
 */
export class IdleNotice {
	private timer: NodeJS.Timeout | undefined;

	private wasUsed = false;

	private isClosed = false;

	constructor(
		private readonly afterMs: number,
		private readonly onIdle: () => void,
	) {}

	noteUse(): void {
		this.wasUsed = true;
		if (!this.isClosed) this.timer ??= this.start();
	}

	close(): void {
		this.isClosed = true;
		clearTimeout(this.timer);
	}

	private start(): NodeJS.Timeout {
		this.wasUsed = false;
		return setTimeout(() => {
			this.timer = undefined;
			if (this.wasUsed) this.timer = this.start();
			else this.onIdle();
		}, this.afterMs).unref();
	}
}
