import { isoInstant } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import { longestRetryDelayMs, plannedRetries, retryDelayMs } from '../../base/retry-plan';
import type { RetryState } from '../../model/record/retry-state';

/** Failures that are followed by another try at once: a lost answer is found out by the next sync. */
const immediateRetries = 2;
/** Failures that take longer than this are shown to a person. */
const reportAfterMs = 3_600_000;

export function isDue(retry: RetryState | undefined, now: number): boolean {
	return retry?.notBefore === undefined || retry.notBefore <= isoInstant(now);
}

/** The state after one more failure; work that was begun here is tried for ever, at last every 6 hours. */
export function afterFailure(
	before: RetryState | undefined,
	error: unknown,
	now: number,
): RetryState {
	const attempts = (before?.attempts ?? 0) + 1;
	const firstFailedAt =
		before === undefined || before.attempts === 0 ? isoInstant(now) : before.firstFailedAt;
	const delayMs =
		attempts <= immediateRetries
			? 0
			: (retryDelayMs(attempts - immediateRetries - 1) ?? longestRetryDelayMs);
	const isLong = now - Date.parse(firstFailedAt) >= reportAfterMs;
	const isReported =
		before?.isReported === true || isLong || attempts > plannedRetries + immediateRetries;
	return {
		attempts,
		firstFailedAt,
		...(delayMs === 0 ? {} : { notBefore: isoInstant(now + delayMs) }),
		lastFailure: failureOf(error),
		...(isReported ? { isReported: true as const } : {}),
	};
}

/** Waits without a failure: something else has to happen first. */
export function postponed(
	before: RetryState | undefined,
	delayMs: number,
	now: number,
): RetryState {
	const known = before ?? { attempts: 0, firstFailedAt: isoInstant(now) };
	return { ...known, notBefore: isoInstant(now + delayMs) };
}

/** A person wants it tried at once. */
export function wantedNow({ notBefore: _notBefore, ...rest }: RetryState): RetryState {
	return rest;
}

/** Whether {@link wantedNow} was its last change. */
export function isWantedNow(retry: RetryState | undefined): boolean {
	return retry !== undefined && retry.notBefore === undefined;
}

function failureOf(error: unknown): { code: string; message: string } {
	return isGatewayError(error)
		? { code: error.code, message: error.message }
		: { code: 'error.transport.unknown', message: 'The change could not be finished.' };
}
