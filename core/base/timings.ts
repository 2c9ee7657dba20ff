/** Time limits that processes with the same account apply to each other. */
export interface Timings {
	/** time without renewal after which the lease for syncs expires */
	readonly syncLeaseMs: number;
	/** limits of the calls that send messages */
	readonly sending: SendTimings;
	/** time after which a file that another process keeps locked is reported as busy */
	readonly sqliteBusyMs: number;
}

/** Time limits of a claim on the call for one message (docs/adr/0023). */
export interface SendTimings {
	/** time after which a claim expires: no call takes longer */
	readonly claimTtlMs: number;
	/**
	 * time after which a missing owner has not merely lost its connection to the store, and its call
	 * has ended
	 */
	readonly deadOwnerGraceMs: number;
	/** age above which a claim must be renewed before the call begins */
	readonly renewClaimAfterMs: number;
	/**
	 * deadline for the first byte of the call, counted from the claim; well before the claim expires
	 */
	readonly firstByteDeadlineMs: number;
	/**
	 * time after the end of a call without an answer in which proxies and the Backbone may still
	 * carry it out, by the clock of the Backbone (docs/adr/0006)
	 */
	readonly lateArrivalMs: number;
}

export const usualTimings: Timings = {
	syncLeaseMs: 60_000,
	sending: {
		claimTtlMs: 2 * 60_000,
		deadOwnerGraceMs: 10_000,
		renewClaimAfterMs: 10_000,
		firstByteDeadlineMs: 30_000,
		lateArrivalMs: 2 * 60_000,
	},
	sqliteBusyMs: 30_000,
};
