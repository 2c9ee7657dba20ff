import { backOffMs, withJitter } from '../../base/back-off';

export interface PushTimings {
	/** keep-alives come every 240 s; the extra minute allows for accidental delays */
	readonly silenceMs: number;
	/** a connection that lasted this long counts as good: its end is not a failure */
	readonly stableMs: number;
	/**
	 * wait before a good connection is replaced, in which the service notices that the former one
	 * ended
	 */
	readonly promptReconnectMs: number;
	readonly minReconnectMs: number;
	readonly maxReconnectMs: number;
	/** for Backbones without a push service; the operator may add one later */
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
 * Returns the wait before the next connection. The end of a former connection removes the
 * registration of a connection that follows too soon (`docs/protocol/backbone-api.md` 19.2),
 * so the wait is never zero.
 *
 * @param failures consecutive connections that failed or ended soon; 0 after a good one
 * @param jitter between 0 and 1
 */
export function waitBeforeReconnecting(
	timings: PushTimings,
	{ failures, isAbsent }: { readonly failures: number; readonly isAbsent: boolean },
	jitter: number,
): number {
	if (failures === 0) return timings.promptReconnectMs;
	const longestMs = isAbsent ? timings.absentReconnectMs : timings.maxReconnectMs;
	const fullMs = backOffMs(failures, { firstMs: timings.minReconnectMs, longestMs });
	return Math.round(withJitter(fullMs, jitter, 0.25));
}
