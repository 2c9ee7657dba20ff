import { sleep } from '../../base/abort';
import { drawJitter } from '../../base/back-off';
import { isGatewayError, type GatewayError } from '../../base/errors';
import type { Random } from '../../base/random';
import { ExchangeFailure } from './http-exchange';
import { withFacts } from './network-failure';
import { decideRetry, type FailedAttempt, type RetryLimits } from './retry-policy';

/** Carries an error answer to the retry decision. */
export class AnswerFailure extends Error {
	constructor(
		readonly error: GatewayError,
		readonly status: number,
		readonly retryAfterMs: number | undefined,
	) {
		super(error.message, { cause: error });
		this.name = 'AnswerFailure';
	}
}

type Failed = Pick<FailedAttempt, 'reach' | 'isTransient'> & { readonly error: GatewayError };

function judge(thrown: unknown): Failed | undefined {
	if (thrown instanceof ExchangeFailure) return thrown.failure;
	if (thrown instanceof AnswerFailure) {
		const { status, retryAfterMs, error } = thrown;
		return { error, reach: { status, retryAfterMs }, isTransient: true };
	}
	return undefined;
}

interface Attempts {
	readonly count: number;
	/** true if an attempt before the last one may have been carried out */
	readonly mayHaveArrived: boolean;
	readonly retryAfterMs?: number | undefined;
}

function withAttempts(error: GatewayError, attempts: Attempts): GatewayError {
	const { count, mayHaveArrived, retryAfterMs } = attempts;
	if (count === 1 && retryAfterMs === undefined) return error;
	return withFacts(error, {
		...(count > 1 ? { attempts: count } : {}),
		...(mayHaveArrived ? { mayHaveArrived } : {}),
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
	});
}

export interface RepeatContext {
	readonly isRepeatable: boolean;
	readonly limits: RetryLimits;
	readonly random: Random;
	readonly onRetry?: (error: GatewayError, waitMs: number) => void;
}

/**
 * Runs the work until it succeeds or the retry policy stops; then throws the error of the last
 * attempt. If an earlier attempt may have been carried out, the fact `mayHaveArrived` says so. A
 * deadline that passes during the pause before another attempt ends the call with the error of the
 * last one.
 */
export async function repeat<Result>(
	work: (signal: AbortSignal) => Promise<Result>,
	context: RepeatContext,
	signal: AbortSignal,
): Promise<Result> {
	let mayHaveArrived = false;
	for (let attempt = 1; ; attempt++) {
		const attempts = { count: attempt, mayHaveArrived };
		try {
			return await work(signal);
		} catch (thrown) {
			const failed = judge(thrown);
			if (failed === undefined) {
				throw isGatewayError(thrown) ? withAttempts(thrown, attempts) : thrown;
			}
			const { isRepeatable, limits, random } = context;
			const jitter = drawJitter(random);
			const decision = decideRetry({ attempt, isRepeatable, ...failed }, jitter, limits);
			const retryAfterMs = typeof failed.reach === 'object' ? failed.reach.retryAfterMs : undefined;
			if (!decision.retry) throw withAttempts(failed.error, { ...attempts, retryAfterMs });
			context.onRetry?.(failed.error, decision.waitMs);
			try {
				await sleep(decision.waitMs, { signal });
			} catch (stopped) {
				throw isGatewayError(stopped) ? withAttempts(failed.error, attempts) : stopped;
			}
			mayHaveArrived ||=
				failed.reach !== 'notSent' && failed.error.facts['platformCode'] === undefined;
		}
	}
}
