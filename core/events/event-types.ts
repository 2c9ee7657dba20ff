import type { Cancellable } from '../base/abort';
import type { JsonObject } from '../model/json';
import type { OutboxEvent } from '../model/record/event';
import type { RelationshipStatus } from '../model/record/relationship';
import type { EventName } from './catalogue';

/** Filter of a consumer. All given conditions must hold; an absent condition matches everything. */
export interface EventFilter {
	readonly names?: readonly string[];
	readonly relationshipStatuses?: readonly RelationshipStatus[];
	readonly peers?: readonly string[];
	readonly templateIds?: readonly string[];
	readonly messageTypes?: readonly string[];
	readonly requestStatuses?: readonly string[];
	/**
	 * `answers`: of all changes to own requests, only changes that bring the answer. `sharedByPeers`:
	 * of all created attributes, only attributes that a peer shared.
	 */
	readonly only?: ReadonlyArray<'answers' | 'sharedByPeers'>;
	/** of all changes of relationships, only changes of these kinds */
	readonly relationshipChanges?: readonly RelationshipChange[];
}

/**
 * `requested`: a peer wants to connect. `accepted`: the relationship has become active for the first
 * time. `ended`: it was active and no longer is.
 */
export type RelationshipChange = 'requested' | 'accepted' | 'ended';

/** Event as handed to consumers; `id` is stable across repetitions. */
export interface GatewayEvent {
	readonly id: string;
	readonly sequence: number;
	readonly event: string;
	readonly createdAt: string;
	readonly peer?: string | undefined;
	/** correlation id of the request or sync that caused the event */
	readonly correlationId?: string | undefined;
	readonly data: JsonObject;
}

/**
 * Verdict on a delivery: `accepted` moves the cursor, `repeat` delivers the same events in a new
 * attempt, `parked` keeps them for a person and moves on.
 */
export type DeliveryVerdict =
	| { readonly kind: 'accepted' }
	| {
			readonly kind: 'repeat';
			readonly afterMs: number;
			readonly reason: string;
			/**
			 * weight added to the delivery's `refusals`: the receiver was reached and did not accept the
			 * events
			 */
			readonly refusal?: number;
	  }
	| { readonly kind: 'parked'; readonly reason: string };

export interface Delivery {
	readonly events: readonly GatewayEvent[];
	/** 1 for the first attempt; stored before the delivery starts */
	readonly attempt: number;
	/** true if this attempt was started by a process that ended before it recorded the outcome */
	readonly resumed: boolean;
	/** stable per consumer, first event and attempt; usable as n8n deduplication key */
	readonly key: string;
	/** sum of refusals so far; stored, so that it survives a restart */
	readonly refusals: number;
	/**
	 * false when the consumer's limit of parked events is reached, because parking more would lose
	 * some
	 */
	readonly canPark: boolean;
	/** true for another attempt at a parked event, which only `accepted` removes from the list */
	readonly isParked: boolean;
}

export interface ConsumeOptions extends Cancellable {
	/** name of the stored cursor */
	readonly consumer: string;
	readonly filter: EventFilter;
	/** position at which a new consumer starts */
	readonly startFrom: 'now' | 'oldest';
	/** maximum number of events per delivery */
	readonly batchSize: number;
	/**
	 * maximum number of deliveries at the same time; absent: one. Events of one person stay in order.
	 */
	readonly parallel?: number;
	/** limit of parked events; absent: the newest hundred are kept and older ones dropped */
	readonly parkLimit?: number;
	/** called once the position is stored; every event from then on is delivered */
	readonly onOpened?: () => void;
	readonly deliver: (
		delivery: Delivery,
		options: { signal: AbortSignal },
	) => Promise<DeliveryVerdict>;
}

/** Converts a stored row for consumers. */
export function toGatewayEvent(event: OutboxEvent): GatewayEvent {
	return {
		id: eventIdOf(event.sequence),
		sequence: event.sequence,
		event: event.name,
		createdAt: event.createdAt,
		peer: event.peer,
		correlationId: event.correlationId,
		data: event.data,
	};
}

export function eventIdOf(sequence: number): string {
	return `EVT${String(sequence).padStart(12, '0')}`;
}

/** Events that never have data (docs/protocol/http-api.md 10.2). */
const eventsWithoutData: ReadonlySet<string> = new Set<EventName>(['runtime.modulesStarted']);

export function hasNoData(name: string): boolean {
	return eventsWithoutData.has(name);
}

/** True if the data was erased for data protection; such an event is no longer delivered. */
export function isErased(event: OutboxEvent): boolean {
	return Object.keys(event.data).length === 0 && !hasNoData(event.name);
}
