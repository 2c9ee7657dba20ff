import type { Clock } from '../../base/clock';

/** How long an announcement may take that comes after its event was found. */
const graceMs = 10_000;
/** The Backbone's clock is known to the second. */
const toleranceMs = 2_000;
const firstPauseMs = 60_000;
const longestPauseMs = 3_600_000;

export interface Announcing {
	/** milliseconds since the epoch; undefined while there is no connection */
	readonly connectedSince: number | undefined;
	readonly lastAnnouncedAt: number | undefined;
}

/**
 * Notices a connection that is open and announces nothing: its registration at the push service was
 * lost, and keep-alives go on (`docs/protocol/backbone-api.md` 19.2). The sign of it is an event that
 * a sync has found, and that nothing announced although there was time to do so.
 */
export class LostRegistration {
	private timer: NodeJS.Timeout | undefined;

	/** newest creation of what was found, by our clock */
	private newestFoundAt = 0;

	private lastRenewal: { readonly at: number; readonly pauseMs: number } | undefined;

	/** @param renew called with the time at which the unannounced event was created */
	constructor(
		private readonly clock: Clock,
		private readonly look: () => Announcing,
		private readonly renew: (eventCreatedAt: number) => void,
	) {}

	/** @param createdAt of events that a sync has found, milliseconds since the epoch by our clock */
	found(createdAt: readonly number[]): void {
		this.newestFoundAt = Math.max(this.newestFoundAt, ...createdAt);
		if (this.timer !== undefined || !this.isUnannounced()) return;
		this.timer = setTimeout(() => {
			this.timer = undefined;
			if (this.isUnannounced() && this.mayRenew()) this.renew(this.newestFoundAt);
		}, graceMs).unref();
	}

	cancel(): void {
		clearTimeout(this.timer);
		this.timer = undefined;
	}

	private isUnannounced(): boolean {
		const { connectedSince, lastAnnouncedAt = 0 } = this.look();
		if (connectedSince === undefined) return false;
		const [after, before] = [connectedSince + toleranceMs, this.newestFoundAt - toleranceMs];
		return this.newestFoundAt > after && lastAnnouncedAt < before;
	}

	/**
	 * Some events are never announced, for example those that were held back for a while: they must not
	 * have the connection opened anew all the time.
	 */
	private mayRenew(): boolean {
		const now = this.clock.now();
		const last = this.lastRenewal;
		if (last !== undefined && now < last.at + last.pauseMs) return false;
		const wasUseless = last !== undefined && (this.look().lastAnnouncedAt ?? 0) < last.at;
		const pauseMs = wasUseless ? Math.min(last.pauseMs * 2, longestPauseMs) : firstPauseMs;
		this.lastRenewal = { at: now, pauseMs };
		return true;
	}
}
