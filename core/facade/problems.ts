import type { Cancellable } from '../base/abort';
import type {
	ChooseProblemsInput,
	DiscardedProblemDto,
	ListProblemsInput,
	ProblemDto,
	RetriedProblemDto,
} from '../model/record/problem';

/**
 * Problems that wait for a person: `receivedEvent`, `delivery`, `sending`, `unfinishedChange` or
 * `wait`. Callers select those to retry or discard: `{ ids }`, or `{ all: true }`
 * narrowed by `kind` and `consumer`.
 */
export interface ProblemUseCases {
	/** Oldest first; `kind`, `consumer` and `ids` select. */
	list(input?: ListProblemsInput, options?: Cancellable): Promise<ProblemDto[]>;
	/** Retries the problems; nothing is applied or sent twice. */
	retry(input: ChooseProblemsInput, options?: Cancellable): Promise<RetriedProblemDto[]>;
	/**
	 * Discards the problems permanently. `all` leaves out problems that the gateway must keep
	 * retrying.
	 */
	discard(input: ChooseProblemsInput, options?: Cancellable): Promise<DiscardedProblemDto[]>;
}

export type {
	ChooseProblemsInput,
	DiscardedProblemDto,
	ListProblemsInput,
	ProblemDto,
	RetriedProblemDto,
};
