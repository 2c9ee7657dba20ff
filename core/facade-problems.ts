import type { Cancellable } from './base/abort';
import type { ProblemDto, RetriedProblemDto } from './model/record/problem';

/** What waits for a person, of all kinds. */
export interface ProblemUseCases {
	/** Oldest first; `kind` selects `receivedEvent`, `delivery` or `sending`. */
	list(input?: unknown, options?: Cancellable): Promise<ProblemDto[]>;
	/** Tries the problems named by `ids` once more; nothing is applied or sent twice. */
	retry(input: unknown, options?: Cancellable): Promise<RetriedProblemDto[]>;
}

export type { ProblemDto, RetriedProblemDto };
