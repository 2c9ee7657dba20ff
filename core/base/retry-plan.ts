const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Waits before the second, third, ... try of something that failed. */
const retryDelaysMs = [2 * secondMs, 30 * secondMs, 10 * minuteMs, hourMs, 6 * hourMs];

/** Number of failures after which the plan is used up. */
export const plannedRetries = retryDelaysMs.length;

/** The wait after that many earlier failures; undefined when the plan is used up. */
export function retryDelayMs(earlierFailures: number): number | undefined {
	return retryDelaysMs[earlierFailures];
}

/** The longest wait of the plan, for what is tried for ever. */
export const longestRetryDelayMs = 6 * hourMs;
