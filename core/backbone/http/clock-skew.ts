import type { Clock } from '../../base/clock';

/**
 * Smallest difference that errors mention. The server's clock decides every expiry, so a
 * wrong local clock matters.
 */
const noteworthyMs = 5_000;

/** Compares the local clock with the `Date` header of answers. */
export class ClockSkew {
	private latestMs: number | undefined;

	private latestHeader: string | undefined;

	private latestServer: { readonly timeMs: number; readonly seenMs: number } | undefined;

	constructor(private readonly clock: Clock) {}

	/** server time minus local time */
	get valueMs(): number | undefined {
		return this.latestMs;
	}

	/**
	 * Time of the server in milliseconds since the epoch, by its newest `Date` header alone: it does
	 * not depend on the clock of this host, which may be changed.
	 */
	get serverTimeMs(): number | undefined {
		if (this.latestServer === undefined) return undefined;
		const { timeMs, seenMs } = this.latestServer;
		return timeMs + performance.now() - seenMs;
	}

	record(dateHeader: string | undefined, sentAtMs: number): void {
		// The header changes once a second; a repeated value adds no information.
		if (dateHeader === undefined || dateHeader === this.latestHeader) return;
		const serverMs = Date.parse(dateHeader);
		if (!Number.isFinite(serverMs)) return;
		this.latestHeader = dateHeader;
		this.latestServer = { timeMs: serverMs, seenMs: performance.now() };
		// The header has no fraction of a second; half a second is the middle of the possible range.
		const middleMs = (sentAtMs + this.clock.now()) / 2;
		this.latestMs = Math.round(serverMs + 500 - middleMs);
	}

	/** Sentence for errors that a wrong clock can explain; undefined if the clocks agree. */
	describe(): string | undefined {
		const skew = this.latestMs;
		if (skew === undefined || Math.abs(skew) < noteworthyMs) return undefined;
		const seconds = Math.round(Math.abs(skew) / 1_000);
		const direction = skew > 0 ? 'behind' : 'ahead of';
		return `The clock of this machine is ${seconds} s ${direction} the clock of the Backbone.`;
	}
}
