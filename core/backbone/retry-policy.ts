/** How far a failed attempt can have got. */
export type Reach =
	/** no connection: the Backbone has not seen the request */
	| 'notSent'
	/** sent, and nobody knows what became of it */
	| 'unknown'
	/** answered with this status */
	| { readonly status: number; readonly retryAfterMs?: number | undefined };

export interface FailedAttempt {
	/** from 1 */
	readonly attempt: number;
	/** true when doing it twice has the effect of doing it once */
	readonly isRepeatable: boolean;
	readonly reach: Reach;
	/** false for what will not change by itself, such as an unknown host */
	readonly isTransient: boolean;
}

export interface RetryLimits {
	readonly maxAttempts: number;
	/** before jitter; doubles per attempt */
	readonly baseWaitMs: number;
	/** a longer `Retry-After` is left to the caller */
	readonly maxWaitMs: number;
}

export const defaultRetryLimits: RetryLimits = {
	maxAttempts: 3,
	baseWaitMs: 250,
	maxWaitMs: 10_000,
};

export type RetryDecision =
	{ readonly retry: false } | { readonly retry: true; readonly waitMs: number };

const stop: RetryDecision = { retry: false };

const repeatableStatuses = new Set([408, 500, 502, 503, 504]);

function isHarmless({ reach, isRepeatable }: FailedAttempt): boolean {
	if (reach === 'notSent') return true;
	if (reach === 'unknown') return isRepeatable;
	// A quota (429 without a time) does not come back within seconds.
	if (reach.status === 429) return reach.retryAfterMs !== undefined;
	return isRepeatable && repeatableStatuses.has(reach.status);
}

/**
 * Repeats only where a repeat is harmless: always when the Backbone cannot have seen the request
 * or refused it unseen (429 with `Retry-After`), else only calls that are repeatable.
 *
 * @param jitter 0 to 1: which part of the second half of the wait is taken
 */
export function decideRetry(
	failed: FailedAttempt,
	jitter: number,
	limits: RetryLimits = defaultRetryLimits,
): RetryDecision {
	if (!failed.isTransient || failed.attempt >= limits.maxAttempts) return stop;
	if (!isHarmless(failed)) return stop;
	const asked = typeof failed.reach === 'object' ? failed.reach.retryAfterMs : undefined;
	if (asked !== undefined) {
		return asked > limits.maxWaitMs ? stop : { retry: true, waitMs: asked };
	}
	const full = Math.min(limits.baseWaitMs * 2 ** (failed.attempt - 1), limits.maxWaitMs);
	return { retry: true, waitMs: Math.round(full * (0.5 + jitter / 2)) };
}

/** `Retry-After` in seconds or as a date; undefined where absent or not understood. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
	if (header === undefined) return undefined;
	if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim()) * 1_000;
	const date = Date.parse(header);
	return Number.isFinite(date) ? Math.max(0, date - nowMs) : undefined;
}
