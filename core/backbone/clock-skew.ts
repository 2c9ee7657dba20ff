import type { Clock } from '../base/clock';

/** Every expiry is decided by the server's clock, so a wrong own clock is worth telling about. */
const noteworthyMs = 5_000;

/** Compares our clock with the `Date` header of answers. */
export class ClockSkew {
	private latestMs: number | undefined;

	private latestHeader: string | undefined;

	constructor(private readonly clock: Clock) {}

	/** server time minus our time */
	get valueMs(): number | undefined {
		return this.latestMs;
	}

	record(dateHeader: string | undefined, sentAtMs: number): void {
		// It changes once a second, and a second answer within it says nothing new.
		if (dateHeader === undefined || dateHeader === this.latestHeader) return;
		const serverMs = Date.parse(dateHeader);
		if (!Number.isFinite(serverMs)) return;
		this.latestHeader = dateHeader;
		// The header is cut to seconds; half a second is the middle of what it can mean.
		const middleMs = (sentAtMs + this.clock.now()) / 2;
		this.latestMs = Math.round(serverMs + 500 - middleMs);
	}

	/** A sentence for errors that a wrong clock can explain; undefined when the clocks agree. */
	describe(): string | undefined {
		const skew = this.latestMs;
		if (skew === undefined || Math.abs(skew) < noteworthyMs) return undefined;
		const seconds = Math.round(Math.abs(skew) / 1_000);
		const direction = skew > 0 ? 'behind' : 'ahead of';
		return `The clock of this machine is ${seconds} s ${direction} that of the Backbone.`;
	}
}
