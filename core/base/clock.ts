/** Time source that is handed in, so that expiry and tests are deterministic. */
export interface Clock {
	/** Now, as milliseconds since the epoch. */
	now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The wire form of an instant: `YYYY-MM-DDTHH:mm:ss.SSSZ` (crypto-and-identity 16). */
export function isoInstant(epochMs: number): string {
	return new Date(epochMs).toISOString();
}
