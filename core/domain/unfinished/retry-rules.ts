import { longestPlannedDelayMs, plannedDelayMs, plannedRetries } from '../../base/back-off';
import { isoInstant } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import type { RetryState } from '../../model/record/retry-state';

/**
 * Number of failures after which the next attempt follows without delay: the next sync finds out what
 * became of a lost answer.
 */
const immediateRetries = 2;
/** Duration after which a continuing failure is reported to a person. */
const reportAfterMs = 3_600_000;

export function isDue(retry: RetryState | undefined, now: number): boolean {
	return retry?.notBefore === undefined || retry.notBefore <= isoInstant(now);
}

/**
 * Returns the state after one more failure. Unfinished work of this account is retried indefinitely,
 * in the end every 6 hours.
 */
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
			: (plannedDelayMs(attempts - immediateRetries - 1) ?? longestPlannedDelayMs);
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

/** Delays the next attempt without counting a failure, because another step has to come first. */
export function postponed(
	before: RetryState | undefined,
	delayMs: number,
	now: number,
): RetryState {
	const known = before ?? { attempts: 0, firstFailedAt: isoInstant(now) };
	return { ...known, notBefore: isoInstant(now + delayMs) };
}

/** Makes the next attempt due at once, at a person's request. */
export function wantedNow({ notBefore: _notBefore, ...rest }: RetryState): RetryState {
	return rest;
}

/** Checks whether {@link wantedNow} was the last change of this state. */
export function isWantedNow(retry: RetryState | undefined): boolean {
	return retry !== undefined && retry.notBefore === undefined;
}

function failureOf(error: unknown): { code: string; message: string } {
	return isGatewayError(error)
		? { code: error.code, message: error.message }
		: { code: 'error.transport.unknown', message: 'The change could not be finished.' };
}
