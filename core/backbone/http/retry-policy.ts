import { backOffMs, withJitter } from '../../base/back-off';

/** Progress of a failed attempt. */
export type Reach =
	/** no connection: the Backbone did not receive the request */
	| 'notSent'
	/** sent, with unknown outcome */
	| 'unknown'
	/** answered with this status */
	| { readonly status: number; readonly retryAfterMs?: number | undefined };

export interface FailedAttempt {
	/** from 1 */
	readonly attempt: number;
	/** true if the operation is idempotent */
	readonly isRepeatable: boolean;
	readonly reach: Reach;
	/** false for failures that do not go away by themselves, such as an unknown host */
	readonly isTransient: boolean;
}

export interface RetryLimits {
	readonly maxAttempts: number;
	/** before jitter; doubles per attempt */
	readonly baseWaitMs: number;
	/** a longer `Retry-After` is left to the caller, without a retry */
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
	// An exhausted quota (429 without a time) is not renewed within seconds.
	if (reach.status === 429) return reach.retryAfterMs !== undefined;
	return isRepeatable && repeatableStatuses.has(reach.status);
}

/**
 * Repeats only if a repetition is harmless: always if the Backbone cannot have received the request
 * or refused it unprocessed (429 with `Retry-After`), otherwise only repeatable calls.
 *
 * @param jitter 0 to 1: fraction of the second half of the wait
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
	const waits = { firstMs: limits.baseWaitMs, longestMs: limits.maxWaitMs };
	return { retry: true, waitMs: Math.round(withJitter(backOffMs(failed.attempt, waits), jitter)) };
}

/** Reads `Retry-After`, in seconds or as a date; undefined if it is absent or invalid. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
	if (header === undefined) return undefined;
	if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim()) * 1_000;
	const date = Date.parse(header);
	return Number.isFinite(date) ? Math.max(0, date - nowMs) : undefined;
}
