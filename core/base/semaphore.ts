import { throwIfAborted, type Cancellable } from './abort';

/** Bounded concurrency, first come, first served; a caller that aborts leaves the queue. */
export class Semaphore {
	private taken = 0;

	private readonly waiting = new Set<() => void>();

	/** @param permits largest number of holders at a time; a semaphore with one permit is a mutex */
	constructor(private readonly permits = 1) {}

	/**
	 * Runs work while holding one permit. If a permit is free, the work begins before this method
	 * returns.
	 */
	async run<Result>(work: () => Promise<Result>, options: Cancellable = {}): Promise<Result> {
		if (this.taken < this.permits) this.take(options);
		else await this.acquire(options);
		try {
			return await work();
		} finally {
			this.release();
		}
	}

	/**
	 * Resolves when the caller holds a permit, which the caller must {@link release} exactly once.
	 */
	async acquire(options: Cancellable = {}): Promise<void> {
		if (this.taken < this.permits) {
			this.take(options);
			return;
		}
		throwIfAborted(options);
		const { signal } = options;
		await new Promise<void>((resolve, reject) => {
			const giveUp = (): void => {
				this.waiting.delete(proceed);
				reject(signal?.reason);
			};
			const proceed = (): void => {
				signal?.removeEventListener('abort', giveUp);
				resolve();
			};
			this.waiting.add(proceed);
			signal?.addEventListener('abort', giveUp, { once: true });
		});
	}

	/**
	 * Passes the permit directly to the first waiting caller, so that no later caller can overtake
	 * it.
	 */
	release(): void {
		const [next] = this.waiting;
		if (next === undefined) {
			this.taken--;
			return;
		}
		this.waiting.delete(next);
		next();
	}

	private take(options: Cancellable): void {
		throwIfAborted(options);
		this.taken++;
	}
}
