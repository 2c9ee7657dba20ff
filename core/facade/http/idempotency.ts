import type { Cancellable } from '../../base/abort';
import type { CreatedRecord, StoredAnswer } from '../../model/record/http/idempotency-key';

/** Call that a client may repeat. */
export interface RepeatableCall {
	/** identity of the client; clients do not see each other's keys */
	readonly caller: string;
	/** key that the client has chosen */
	readonly key: string;
	/** everything that makes up the request; another request under the same key is refused */
	readonly request: string;
}

/** How a call is answered. */
export interface RepeatableWork {
	/**
	 * Answers the call.
	 *
	 * @param idempotencyKey key for use cases that have idempotency keys themselves
	 */
	run(idempotencyKey: string): Promise<StoredAnswer>;
	/**
	 * Answers again with what an earlier attempt has created, whose answer is not known; undefined if
	 * that is not possible, so that the call runs again.
	 */
	repeat(created: readonly CreatedRecord[]): Promise<StoredAnswer | undefined>;
}

/** Calls that clients repeat under a key, for 24 hours and also after a crash. */
export interface IdempotencyUseCases {
	/**
	 * Runs a call once: a repetition gets the stored answer. Answers of failed calls are not stored.
	 *
	 * @throws `error.gateway.idempotency.keyReused`, `error.gateway.idempotency.inProgress`,
	 * `error.gateway.idempotency.tooMany`, and the errors of the call
	 */
	once(
		call: RepeatableCall,
		work: RepeatableWork,
		options?: Cancellable,
	): Promise<{
		/** answer of the call or of its first run */
		readonly answer: StoredAnswer;
		/** true if this call has not run */
		readonly isRepeated: boolean;
	}>;
}

export type { CreatedRecord, StoredAnswer };
