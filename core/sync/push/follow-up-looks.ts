/**
 * The Backbone announces an event before a sync run can have it, usually by less than a second
 * (`docs/protocol/backbone-api.md` 19.1).
 */
const delaysMs = [1_000, 3_000] as const;

/**
 * Looks again after each announcement, one second and three seconds later. Announcements that come
 * close together share their looks, so there are never more than one per delay under way.
 */
export class FollowUpLooks {
	/** by delay: whether something was announced after its timer was set */
	private readonly waiting = new Map<number, { timer: NodeJS.Timeout; again: boolean }>();

	constructor(private readonly look: () => void) {}

	announced(): void {
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
			const isWanted = this.waiting.get(delayMs)?.again === true;
			this.waiting.delete(delayMs);
			if (isWanted) this.plan(delayMs);
			this.look();
		}, delayMs).unref();
		this.waiting.set(delayMs, { timer, again: false });
	}
}
