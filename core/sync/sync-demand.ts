import { longestTimerMs, sleep } from '../base/abort';
import type { KeepSyncedOptions } from '../facade/events';

/** Who wants an account synchronised: followers, each with an interval, and single requests. */
export class SyncDemand {
	readonly followers = new Set<KeepSyncedOptions>();

	private isRequested = false;

	private pause: AbortController | undefined;

	get isFollowed(): boolean {
		return this.followers.size > 0;
	}

	/** Shortest interval of the followers. */
	get intervalMs(): number {
		return Math.min(...[...this.followers].map(({ intervalMs }) => intervalMs));
	}

	/** Requests a sync soon, after a change that the Backbone does not report to this account. */
	request(): void {
		this.isRequested = true;
		this.endPause();
	}

	/** Ends the pause of the loop, for example because a shorter interval applies. */
	endPause(): void {
		this.pause?.abort();
	}

	/** Begins a sync; false without a request if it is due only after the given time. */
	begin(dueInMs: number): boolean {
		if (dueInMs > 0 && !this.isRequested) return false;
		this.isRequested = false;
		return true;
	}

	/** Pauses until the time is over, a sync is requested, or the signal aborts. */
	async wait(durationMs: number, signal: AbortSignal): Promise<void> {
		this.pause = new AbortController();
		const any = AbortSignal.any([signal, this.pause.signal]);
		const waiting = sleep(Math.min(durationMs, longestTimerMs), { signal: any, background: true });
		await waiting.catch(() => undefined);
	}
}
