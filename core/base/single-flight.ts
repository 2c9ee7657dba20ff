/** Lets concurrent callers join the one running operation and share its outcome. */
export class SingleFlight<Result> {
	private running: Promise<Result> | undefined;

	run(work: () => Promise<Result>): Promise<Result> {
		if (this.running === undefined) {
			const started = work().finally(() => {
				if (this.running === started) this.running = undefined;
			});
			this.running = started;
		}
		return this.running;
	}

	get isRunning(): boolean {
		return this.running !== undefined;
	}
}
