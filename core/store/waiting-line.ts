import type { Cancellable } from '../base/abort';
import { throwIfAborted } from '../base/abort';

/** One at a time, first come first served; whoever gives up leaves the line. */
export class WaitingLine {
	private isTaken = false;

	private readonly waiting = new Set<() => void>();

	/** Resolves when it is the caller's turn; then `leave` has to be called once. */
	async enter(options: Cancellable = {}): Promise<void> {
		throwIfAborted(options);
		if (!this.isTaken) {
			this.isTaken = true;
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
			this.isTaken = false;
			return;
		}
		this.waiting.delete(next);
		next();
	}
}
