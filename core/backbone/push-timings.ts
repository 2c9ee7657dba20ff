export interface PushTimings {
	/** keep-alives come every 240 s; a minute more is no chance delay */
	readonly silenceMs: number;
	/** a connection that lasted this long was good: its end is no failure */
	readonly stableMs: number;
	/** before a good connection is replaced, for the service to notice the end of the former one */
	readonly promptReconnectMs: number;
	readonly minReconnectMs: number;
	readonly maxReconnectMs: number;
	/** where there is no push service; an operator may add one */
	readonly absentReconnectMs: number;
}

export const defaultPushTimings: PushTimings = {
	silenceMs: 300_000,
	stableMs: 10_000,
	promptReconnectMs: 500,
	minReconnectMs: 3_000,
	maxReconnectMs: 60_000,
	absentReconnectMs: 600_000,
};

/**
 * How long to wait before the next connection. The end of a former connection removes the registration
 * of a new one that comes too soon (`docs/protocol/backbone-api.md` 19.2), so none follows at once.
 *
 * @param failures connections in a row that failed or ended soon; 0 after a good one
 * @param jitter between 0 and 1
 */
export function waitBeforeReconnecting(
	timings: PushTimings,
	{ failures, isAbsent }: { readonly failures: number; readonly isAbsent: boolean },
	jitter: number,
): number {
	if (failures === 0) return timings.promptReconnectMs;
	const { minReconnectMs } = timings;
	const longest = isAbsent ? timings.absentReconnectMs : timings.maxReconnectMs;
	const full = Math.min(minReconnectMs * 2 ** Math.min(failures - 1, 20), longest);
	return Math.round(full * (0.75 + jitter / 4));
}
