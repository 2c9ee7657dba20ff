/** Time source passed in by the caller, so that expiry and tests are deterministic. */
export interface Clock {
	/** Current time in milliseconds since the epoch. */
	now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Wire format of an instant: `YYYY-MM-DDTHH:mm:ss.SSSZ` (crypto-and-identity 16). */
export function isoInstant(epochMs: number): string {
	return new Date(epochMs).toISOString();
}

const mostSkewMs = 24 * 3_600_000;

/**
 * True when two clocks differ by at most a day. A larger difference means that one of them is
 * wrong, and not which.
 */
export function clocksAgree(skewMs: number): boolean {
	return Math.abs(skewMs) <= mostSkewMs;
}
