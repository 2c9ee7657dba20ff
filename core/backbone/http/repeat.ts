import { sleep } from '../../base/abort';
import { drawJitter } from '../../base/back-off';
import { GatewayError, isGatewayError } from '../../base/errors';
import type { Random } from '../../base/random';
import { ExchangeFailure } from './http-exchange';
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

function withAttempts(error: GatewayError, attempts: number, retryAfterMs?: number): GatewayError {
	if (attempts === 1 && retryAfterMs === undefined) return error;
	return new GatewayError({
		code: error.code,
		kind: error.kind,
		message: error.message,
		remedy: error.remedy,
		facts: {
			...error.facts,
			...(attempts > 1 ? { attempts } : {}),
			...(retryAfterMs === undefined ? {} : { retryAfterMs }),
		},
		cause: error.cause,
	});
}

export interface RepeatContext {
	readonly isRepeatable: boolean;
	readonly limits: RetryLimits;
	readonly random: Random;
	readonly onRetry?: (error: GatewayError, waitMs: number) => void;
}

/**
 * Runs the work until it succeeds or the retry policy stops; then throws the error of the last attempt.
 */
export async function repeat<Result>(
	work: (signal: AbortSignal) => Promise<Result>,
	context: RepeatContext,
	signal: AbortSignal,
): Promise<Result> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await work(signal);
		} catch (thrown) {
			const failed = judge(thrown);
			if (failed === undefined) {
				throw isGatewayError(thrown) ? withAttempts(thrown, attempt) : thrown;
			}
			const { isRepeatable, limits, random } = context;
			const jitter = drawJitter(random);
			const decision = decideRetry({ attempt, isRepeatable, ...failed }, jitter, limits);
			if (!decision.retry) {
				const asked = typeof failed.reach === 'object' ? failed.reach.retryAfterMs : undefined;
				throw withAttempts(failed.error, attempt, asked);
			}
			context.onRetry?.(failed.error, decision.waitMs);
			await sleep(decision.waitMs, { signal });
		}
	}
}
