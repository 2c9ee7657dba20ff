import type { Clock } from '../base/clock';
import type { MessageServices } from '../domain/message/open-messages';
import type { ProblemDto, RetriedProblemDto } from '../model/record/problem';
import type { ReadTransaction, WriteTransaction } from '../store/store';

export interface ProblemSourceDependencies extends Pick<
	MessageServices,
	'messages' | 'sendIntents'
> {
	readonly clock: Clock;
}

/** Outcome of a requested attempt, as far as it is known. */
export type Tried = Pick<RetriedProblemDto, 'outcome' | 'code' | 'message'>;

/** One kind of problem. */
export interface ProblemSource {
	readonly kind: ProblemDto['kind'];
	/**
	 * true if a sync makes the attempt; consumers and the resumption of executions make the others
	 */
	readonly isSynced?: boolean;
	/** outcome of a discarded problem; default: discarded */
	readonly discarded?: 'waiting';
	list(tx: ReadTransaction): Promise<ProblemDto[]>;
	/** Number of the listed problems, without reading what they are about. */
	count(tx: ReadTransaction): Promise<number>;
	/** Requests another attempt; false if there is no such problem. */
	retry(tx: WriteTransaction, id: string): Promise<boolean>;
	judge(tx: ReadTransaction, id: string): Promise<Tried>;
	/** Gives up a problem that is discardable. */
	discard(tx: WriteTransaction, id: string): Promise<unknown>;
}
