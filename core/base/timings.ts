/** How long processes of one account wait for each other before one takes over from another. */
export interface Timings {
	/** a process that has not prolonged its lease of the syncs for so long has lost it */
	readonly syncLeaseMs: number;
	readonly sending: SendTimings;
	/** a file that another process keeps locked for longer is said to be busy */
	readonly sqliteBusyMs: number;
}

/** Of the claim that a process has on the call for a message. */
export interface SendTimings {
	/** another process may be in the middle of its call: calls do not take longer */
	readonly patienceMs: number;
	/** a process that is gone for so long was not just cut off, and the Backbone is not at its call any more */
	readonly patienceWithDeadMs: number;
	/** a process that stood still for longer asks whether the call is still its own */
	readonly startWithinMs: number;
	/** a call that nothing has gone out of by then is not made: well before others lose their patience */
	readonly goneOutWithinMs: number;
}

export const usualTimings: Timings = {
	syncLeaseMs: 60_000,
	sending: {
		patienceMs: 2 * 60_000,
		patienceWithDeadMs: 10_000,
		startWithinMs: 10_000,
		goneOutWithinMs: 30_000,
	},
	sqliteBusyMs: 30_000,
};
