import type { Cancellable } from './base/abort';
import type { DiscardedProblemDto, ProblemDto, RetriedProblemDto } from './model/record/problem';

/**
 * What waits for a person, of all kinds: `receivedEvent`, `delivery`, `sending` or
 * `unfinishedChange`. Those to retry or
 * discard are named: `{ ids }`, or `{ all: true }`, which `kind` and `consumer` narrow.
 */
export interface ProblemUseCases {
	/** Oldest first; `kind`, `consumer` and `ids` select. */
	list(input?: unknown, options?: Cancellable): Promise<ProblemDto[]>;
	/** Tries them once more; nothing is applied or sent twice. */
	retry(input: unknown, options?: Cancellable): Promise<RetriedProblemDto[]>;
	/** Gives them up for good. With `all`, what has to be tried on is left out. */
	discard(input: unknown, options?: Cancellable): Promise<DiscardedProblemDto[]>;
}

export type { DiscardedProblemDto, ProblemDto, RetriedProblemDto };
