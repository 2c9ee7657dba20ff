const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/**
 * Waits between the attempts at an external event; after the last one it is parked for a person.
 */
export const eventDelaysMs: readonly number[] = [
	2 * secondMs,
	30 * secondMs,
	10 * minuteMs,
	hourMs,
	6 * hourMs,
];

/**
 * First waits for an event whose relationship has not arrived; 0 lets the next sync of any kind
 * retry it.
 */
export const predecessorDelaysMs: readonly number[] = [0, secondMs];

/**
 * Waits between the attempts at work of this account, the last one without a limit. The first two
 * attempts follow at once, because the next sync finds out what became of a lost answer.
 */
export const workDelaysMs: readonly number[] = [0, 0, ...eventDelaysMs];

/** Duration after which a continuing failure of this account's work is reported to a person. */
export const reportAfterMs = hourMs;
