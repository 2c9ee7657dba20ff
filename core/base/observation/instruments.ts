/** Operation whose duration and result are observed. All members have few different values. */
export type Operation =
	| {
			/** one exchange with the Backbone; a repeated call has several */
			readonly kind: 'backboneCall';
			/** HTTP method */
			readonly method: string;
			/** kind of object, for example `Messages`; never an id */
			readonly resource: string;
	  }
	| {
			/** one sync of this process */
			readonly kind: 'sync';
	  };

/**
 * Result of an operation. `refused`: the Backbone answered 4xx, `failed`: it answered 5xx or not as
 * expected, or the sync failed here; `unreachable` and `timeout`: there was no answer; `paused`: the
 * identity is being deleted; `elsewhere`: another process syncs; `aborted`: the caller gave up.
 */
export type OperationResult =
	'success' | 'refused' | 'failed' | 'unreachable' | 'timeout' | 'paused' | 'elsewhere' | 'aborted';

/** Names the result of an operation that has ended. */
export interface Judge<Result> {
	/** result of work that has resolved */
	readonly value: (value: Result) => OperationResult;
	/** result of work that has failed */
	readonly error: (error: unknown) => OperationResult;
}

/** Write transaction of the store that has ended. */
export interface StoreWrite {
	/** milliseconds until the transaction began: other writers were first */
	readonly waitMs: number;
	/** milliseconds from the beginning of the transaction to its end */
	readonly durationMs: number;
	/** false if the transaction was rolled back, or did not begin */
	readonly isCommitted: boolean;
}

/**
 * Observer of what a gateway does, for figures and traces. Its methods must be fast, and nothing
 * waits for them.
 */
export interface Instruments {
	/** Runs an operation and returns its result; learns how long it took and how it ended. */
	observe<Result>(
		operation: Operation,
		work: () => Promise<Result>,
		judge: Judge<Result>,
	): Promise<Result>;
	/** Receives every write transaction of the store that has ended. */
	storeWritten(write: StoreWrite): void;
}

/** Observes nothing; the default of a gateway. */
export const noInstruments: Instruments = {
	observe: (_operation, work) => work(),
	storeWritten: () => undefined,
};
