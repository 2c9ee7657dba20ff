import type { Cancellable } from '../base/abort';
import { throwIfAborted } from '../base/abort';

/** One at a time, or as many as there are places; whoever gives up leaves the line. */
export class WaitingLine {
	private taken = 0;

	private readonly waiting = new Set<() => void>();

	constructor(private readonly places = 1) {}

	/** Resolves when it is the caller's turn; then `leave` has to be called once. */
	async enter(options: Cancellable = {}): Promise<void> {
		throwIfAborted(options);
		if (this.taken < this.places) {
			this.taken++;
			return;
		}
		const { signal } = options;
		await new Promise<void>((resolve, reject) => {
			const giveUp = (): void => {
				this.waiting.delete(proceed);
				reject(signal?.reason as Error);
			};
			const proceed = (): void => {
				signal?.removeEventListener('abort', giveUp);
				resolve();
			};
			this.waiting.add(proceed);
			signal?.addEventListener('abort', giveUp, { once: true });
		});
	}

	/** The next in line takes over directly, so that nobody can slip in between. */
	leave(): void {
		const [next] = this.waiting;
		if (next === undefined) {
			this.taken--;
			return;
		}
		this.waiting.delete(next);
		next();
	}
}
