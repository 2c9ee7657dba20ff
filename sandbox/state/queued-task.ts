import type { Metric } from './records';

/** An event on its way to `owner`. */
export interface QueuedEvent {
	readonly kind: 'event';
	readonly owner: string;
	readonly type: string;
	readonly payload: Record<string, unknown>;
	/** relationship whose status may hold the event back */
	readonly context?: string | undefined;
	/** its push was sent before */
	readonly isAnnounced?: boolean | undefined;
	/** comes again with the same id, so long after it was finished */
	readonly repeatsAfterMs?: number | undefined;
	/** of an event that comes again */
	readonly id?: string;
}

/** Work that the server does some time after its answer. */
export type QueuedTask =
	| QueuedEvent
	| { readonly kind: 'announce'; readonly owner: string }
	/** events that the relationship held back are let go, or lost with it */
	| {
			readonly kind: 'release';
			readonly relationshipId: string;
			readonly how: 'unblock' | 'drop';
	  }
	/** the limits of an identity change with its deletion, after its status */
	| { readonly kind: 'change-tier'; readonly owner: string }
	/** what was deleted counts until then */
	| {
			readonly kind: 'release-quota';
			readonly owner: string;
			readonly metric: Metric;
			readonly createdAt: string;
			readonly amount: number;
	  }
	/** messages and events of a relationship that the party has decomposed */
	| { readonly kind: 'departure'; readonly relationshipId: string; readonly party: string };

/** A task in a queue. */
export interface QueuedRow {
	readonly id: string;
	/** of the queue; a repeated event is in none */
	readonly name: string | undefined;
	/** identities that the task is about */
	readonly owners: readonly string[];
	/** milliseconds of the queues' clock */
	readonly dueAt: number;
	readonly task: QueuedTask;
}
