import { isAbort, type Cancellable } from './abort';

/** Lets concurrent callers join the one running operation and share its outcome. */
export class SingleFlight<Result> {
	private running: Promise<Result> | undefined;

	/**
	 * An operation that ends because the caller that began it has given up is begun anew by those who
	 * joined it.
	 */
	async run(work: () => Promise<Result>, { signal }: Cancellable = {}): Promise<Result> {
		while (this.running !== undefined) {
			try {
				return await this.running;
			} catch (error) {
				if (signal?.aborted === true || !isAbort(error)) throw error;
			}
		}
		return await this.start(work);
	}

	get isRunning(): boolean {
		return this.running !== undefined;
	}

	private start(work: () => Promise<Result>): Promise<Result> {
		const started = work().finally(() => {
			if (this.running === started) this.running = undefined;
		});
		this.running = started;
		return started;
	}
}
