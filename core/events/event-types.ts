import type { Cancellable } from '../base/abort';
import type { JsonObject } from '../model/json';
import type { OutboxEvent } from '../model/record/event';
import type { RelationshipStatus } from '../model/record/relationship';
import type { EventName } from './catalogue';

/** What a consumer wants to see. All given conditions must hold; an absent one matches everything. */
export interface EventFilter {
	readonly names?: readonly string[];
	readonly relationshipStatuses?: readonly RelationshipStatus[];
	readonly peers?: readonly string[];
	readonly templateIds?: readonly string[];
	readonly messageTypes?: readonly string[];
	readonly requestStatuses?: readonly string[];
	/**
	 * Of changes of our own requests only those that bring the answer; of created attributes only those
	 * that a peer has shared.
	 */
	readonly only?: ReadonlyArray<'answers' | 'sharedByPeers'>;
}

/** One event as handed to consumers; `id` is stable across repetitions. */
export interface GatewayEvent {
	readonly id: string;
	readonly sequence: number;
	readonly event: string;
	readonly createdAt: string;
	readonly peer?: string | undefined;
	/** of the request or the sync that it comes from */
	readonly correlationId?: string | undefined;
	readonly data: JsonObject;
}

/**
 * How one delivery ended: `accepted` moves the cursor, `repeat` delivers the same events again as a
 * new attempt, `parked` gives up on them and moves on.
 */
export type DeliveryVerdict =
	| { readonly kind: 'accepted' }
	| {
			readonly kind: 'repeat';
			readonly afterMs: number;
			readonly reason: string;
			/** added to the delivery's `refusals`: the receiver was there and did not take the events */
			readonly refusal?: number;
	  }
	| { readonly kind: 'parked'; readonly reason: string };

export interface Delivery {
	readonly events: readonly GatewayEvent[];
	/** 1 for the first try; stored before the delivery starts */
	readonly attempt: number;
	/** true when this attempt was stored by a process that then died: its outcome is unknown */
	readonly resumed: boolean;
	/** stable per consumer, first event and attempt; usable as n8n deduplication key */
	readonly key: string;
	/** what the verdicts so far added up to; stored, so that a restart does not begin anew */
	readonly refusals: number;
	/** false while as many events are parked as the consumer keeps: parking more would lose some */
	readonly canPark: boolean;
	/** another try of what was parked: only `accepted` takes it off the list */
	readonly isParked: boolean;
}

export interface ConsumeOptions extends Cancellable {
	/** name of the stored cursor */
	readonly consumer: string;
	readonly filter: EventFilter;
	/** where a new consumer begins */
	readonly startFrom: 'now' | 'oldest';
	/** most events in one delivery */
	readonly batchSize: number;
	/** parked events that are kept; absent: the newest hundred, and older ones are forgotten */
	readonly parkLimit?: number;
	/** called once, when the position is stored: what happens from now on is delivered */
	readonly onOpened?: () => void;
	readonly deliver: (
		delivery: Delivery,
		options: { signal: AbortSignal },
	) => Promise<DeliveryVerdict>;
}

/** Converts a stored row to what consumers see. */
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

/** The data was erased for data protection: such an event is not delivered any more. */
export function isErased(event: OutboxEvent): boolean {
	return Object.keys(event.data).length === 0 && !hasNoData(event.name);
}
