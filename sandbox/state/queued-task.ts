import type { Metric } from './records';

/** Queued event for `owner`. */
export interface QueuedEvent {
	readonly kind: 'event';
	readonly owner: string;
	readonly type: string;
	readonly payload: Record<string, unknown>;
	/** relationship whose status may hold the event back */
	readonly context?: string | undefined;
	/** true if its push was sent before the event */
	readonly isAnnounced?: boolean | undefined;
	/** delay after which a finished event is repeated with the same id */
	readonly repeatsAfterMs?: number | undefined;
	/** id of a repeated event */
	readonly id?: string;
}

/** Work that the server does after its answer. */
export type QueuedTask =
	| QueuedEvent
	| { readonly kind: 'announce'; readonly owner: string }
	/** releases the events that the relationship held back, or drops them */
	| {
			readonly kind: 'release';
			readonly relationshipId: string;
			readonly how: 'unblock' | 'drop';
	  }
	/** changes the limits of an identity with its deletion, after its status */
	| { readonly kind: 'change-tier'; readonly owner: string }
	/** releases the quota of a deleted object, which counts until then */
	| {
			readonly kind: 'release-quota';
			readonly owner: string;
			readonly metric: Metric;
			readonly createdAt: string;
			readonly amount: number;
	  }
	/** hides messages and events of a relationship that the party has decomposed */
	| { readonly kind: 'departure'; readonly relationshipId: string; readonly party: string };

/** Task in a queue. */
export interface QueuedRow {
	readonly id: string;
	/** name of the queue; absent for a repeated event */
	readonly name: string | undefined;
	/** identities concerned by the task */
	readonly owners: readonly string[];
	/** milliseconds of the queues' clock */
	readonly dueAt: number;
	readonly task: QueuedTask;
}
