import { sleep } from '../base/abort';
import type { Store } from '../store/store';

/** Interval at which readers look for events that another process appended. */
const pollMs = 1_000;

/**
 * Counts commits of this process that appended events. A reader notes the count before it reads and
 * waits for a higher one, so that it misses no event appended in between.
 */
export class WakeUp {
	private readonly waiting = new Set<() => void>();

	private readonly unsubscribe: () => void;

	private commits = 0;

	constructor(store: Pick<Store, 'onEventsAppended'>) {
		this.unsubscribe = store.onEventsAppended(() => this.wake());
	}

	/** Makes readers look again. */
	wake(): void {
		this.commits++;
		for (const wake of [...this.waiting]) wake();
	}

	get count(): number {
		return this.commits;
	}

	/**
	 * Resolves after a commit since the count, or when it is time to look for events of other
	 * processes.
	 */
	async wait(since: number, signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		if (this.commits !== since) return;
		const woken = new AbortController();
		const wake = (): void => woken.abort();
		this.waiting.add(wake);
		try {
			await sleep(pollMs, { signal: AbortSignal.any([signal, woken.signal]), background: true });
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
