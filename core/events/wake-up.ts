import { sleep } from '../base/abort';
import type { Store } from '../store/store';

/** How often readers look for events that another process appended. */
const pollMs = 1_000;

/** Waits for the next commit of this process that appended events, at most until the next look. */
export class WakeUp {
	private readonly waiting = new Set<() => void>();

	private readonly unsubscribe: () => void;

	constructor(store: Pick<Store, 'onEventsAppended'>) {
		this.unsubscribe = store.onEventsAppended(() => {
			for (const wake of [...this.waiting]) wake();
		});
	}

	/** Rejects with the signal's reason. */
	async wait(signal: AbortSignal): Promise<void> {
		const woken = new AbortController();
		const wake = (): void => woken.abort();
		this.waiting.add(wake);
		try {
			await sleep(pollMs, { signal: AbortSignal.any([signal, woken.signal]) });
		} catch (error) {
			signal.throwIfAborted();
			if (!woken.signal.aborted) throw error;
		} finally {
			this.waiting.delete(wake);
		}
	}

	close(): void {
		this.unsubscribe();
		for (const wake of this.waiting) wake();
	}
}
