/**
 * Delays of the additional syncs. The Backbone signals an event before a sync run can contain it,
 * usually by less than a second (`docs/protocol/backbone-api.md` 19.1).
 */
const delaysMs = [1_000, 3_000] as const;

/**
 * Requests a sync one second and three seconds after each push signal. Signals in quick succession
 * share these syncs, so that at most one per delay is scheduled.
 */
export class FollowUpLooks {
	/** timers by delay; `again` is true if an event was signalled after the timer was set */
	private readonly waiting = new Map<number, { timer: NodeJS.Timeout; again: boolean }>();

	constructor(private readonly look: () => void) {}

	eventSignalled(): void {
		for (const delayMs of delaysMs) {
			const waiting = this.waiting.get(delayMs);
			if (waiting === undefined) this.plan(delayMs);
			else waiting.again = true;
		}
	}

	cancel(): void {
		for (const { timer } of this.waiting.values()) clearTimeout(timer);
		this.waiting.clear();
	}

	private plan(delayMs: number): void {
		const timer = setTimeout(() => {
			this.waiting.delete(delayMs);
			if (planned.again) this.plan(delayMs);
			this.look();
		}, delayMs).unref();
		const planned = { timer, again: false };
		this.waiting.set(delayMs, planned);
	}
}
