import { setImmediate as nextTurn } from 'node:timers/promises';
import { isAbort, sleep } from '../base/abort';
import type { Needs } from '../domain/needs';

/** interval between two passes of one process */
const passEveryMs = 3_600_000;
/** pause between two rounds of slices, in which other writers can proceed */
const pauseMs = 20;

/**
 * Removes a bounded number of rows in one transaction.
 *
 * @returns true if there may be more to remove
 */
export type RetentionSlice = () => Promise<boolean>;

export interface HousekeepingDependencies extends Needs<'clock' | 'logger'> {
	/** called before each pass; false when nothing may be removed now */
	readonly beginPass: () => boolean;
	/** one slice for each kind of row with limited retention */
	readonly slices: readonly RetentionSlice[];
}

/**
 * Removes data with limited retention, after syncs of any kind, in the background: many small
 * transactions with pauses, so that neither the event loop nor other writers wait for it.
 */
export class Housekeeping {
	private readonly closed = new AbortController();

	private lastPassAt = Number.NEGATIVE_INFINITY;

	private running: Promise<void> | undefined;

	constructor(private readonly dependencies: HousekeepingDependencies) {}

	/** Begins a pass unless one is running or the last one is recent. */
	start(): void {
		const now = this.dependencies.clock.now();
		// The absolute value keeps a clock that was set back from postponing the next pass.
		const isRecent = Math.abs(now - this.lastPassAt) < passEveryMs;
		if (isRecent || this.running !== undefined || this.closed.signal.aborted) return;
		this.lastPassAt = now;
		if (!this.dependencies.beginPass()) return;
		this.running = this.pass(this.closed.signal)
			.catch((error: unknown) => {
				if (isAbort(error, this.closed.signal)) return;
				this.dependencies.logger.warn('housekeeping was interrupted', { reason: String(error) });
			})
			.finally(() => {
				this.running = undefined;
			});
	}

	/** Resolves when no pass is running. */
	async settled(): Promise<void> {
		await this.running;
	}

	/**
	 * Waits for the current round, so that even a process that lives for only one sync removes some
	 * rows.
	 */
	async close(): Promise<void> {
		this.closed.abort();
		await this.running;
	}

	private async pass(signal: AbortSignal): Promise<void> {
		let slices = this.dependencies.slices;
		for (;;) {
			const unfinished: RetentionSlice[] = [];
			for (const slice of slices) {
				if (await this.hasMoreAfter(slice)) unfinished.push(slice);
				await nextTurn();
			}
			if (unfinished.length === 0) return;
			slices = unfinished;
			await sleep(pauseMs, { signal, background: true });
		}
	}

	/** Runs one slice. A slice that fails waits for the next pass and does not stop the others. */
	private async hasMoreAfter(slice: RetentionSlice): Promise<boolean> {
		try {
			return await slice();
		} catch (error) {
			this.dependencies.logger.warn('housekeeping could not remove old rows', {
				reason: String(error),
			});
			return false;
		}
	}
}
