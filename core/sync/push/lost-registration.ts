import { backOffMs } from '../../base/back-off';
import type { Clock } from '../../base/clock';

/** Longest delay of a push signal that arrives after its event was found. */
const graceMs = 10_000;
/** Tolerance for the Backbone's clock, whose time is known to the second. */
const toleranceMs = 2_000;
const renewalPauses = { firstMs: 60_000, longestMs: 3_600_000 };

export interface ConnectionTimes {
	/** milliseconds since the epoch; undefined while there is no connection */
	readonly connectedSince: number | undefined;
	readonly lastEventAt: number | undefined;
}

/**
 * Detects an open connection without signals: its registration at the push service was lost, while
 * keep-alives continue (`docs/protocol/backbone-api.md` 19.2). The evidence is an event that a sync
 * has found without a preceding signal, although there was time for one.
 */
export class LostRegistration {
	private timer: NodeJS.Timeout | undefined;

	/** latest creation time of the events found, by the local clock */
	private newestFoundAt = 0;

	/**
	 * time of the last renewal, and the number of consecutive renewals without a push signal
	 * afterwards
	 */
	private lastRenewal: { readonly at: number; readonly useless: number } | undefined;

	/** @param renew called with the creation time of the event without a signal */
	constructor(
		private readonly clock: Clock,
		private readonly look: () => ConnectionTimes,
		private readonly renew: (eventCreatedAt: number) => void,
	) {}

	/**
	 * Notes the events that a sync has found.
	 *
	 * @param createdAt creation times, milliseconds since the epoch by the local clock
	 */
	found(createdAt: readonly number[]): void {
		this.newestFoundAt = Math.max(this.newestFoundAt, ...createdAt);
		if (this.timer !== undefined || !this.lacksSignal()) return;
		this.timer = setTimeout(() => {
			this.timer = undefined;
			if (this.lacksSignal() && this.mayRenew()) this.renew(this.newestFoundAt);
		}, graceMs).unref();
	}

	cancel(): void {
		clearTimeout(this.timer);
		this.timer = undefined;
	}

	private lacksSignal(): boolean {
		const { connectedSince = Infinity, lastEventAt = 0 } = this.look();
		const [after, before] = [connectedSince + toleranceMs, this.newestFoundAt - toleranceMs];
		return this.newestFoundAt > after && lastEventAt < before;
	}

	/**
	 * Limits renewals by a back-off: some events have no signal, for example events that the Backbone
	 * delayed, and must not reopen the connection repeatedly.
	 */
	private mayRenew(): boolean {
		const now = this.clock.now();
		const last = this.lastRenewal;
		let useless = 0;
		if (last !== undefined) {
			if (now < last.at + backOffMs(last.useless + 1, renewalPauses)) return false;
			if ((this.look().lastEventAt ?? 0) < last.at) useless = last.useless + 1;
		}
		this.lastRenewal = { at: now, useless };
		return true;
	}
}
