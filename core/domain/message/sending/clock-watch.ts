/** difference that the adjustment of a clock does not explain */
const tornMs = 2_000;
/** difference of skews that slow answers do not explain */
const tornSkewMs = 5_000;

/**
 * Notices that the time of a process is torn: the wall clock, the monotonic clock and the clock of
 * the server no longer agree about the time since the last look. The machine may have been
 * suspended, or set back to a snapshot.
 */
export class ClockWatch {
	private aheadMs: number | undefined;

	private skewMs: number | undefined;

	/**
	 * @param nowMs wall clock
	 * @param skewMs clock of the server minus wall clock, where it is known
	 */
	isTorn(nowMs: number, skewMs: number | undefined): boolean {
		const aheadMs = nowMs - performance.now();
		const isTorn =
			differs(aheadMs, this.aheadMs, tornMs) || differs(skewMs, this.skewMs, tornSkewMs);
		this.aheadMs = aheadMs;
		this.skewMs = skewMs ?? this.skewMs;
		return isTorn;
	}
}

function differs(one: number | undefined, other: number | undefined, limitMs: number): boolean {
	return one !== undefined && other !== undefined && Math.abs(one - other) > limitMs;
}
