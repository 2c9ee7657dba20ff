import type { Cancellable } from '../base/abort';
import type { JsonObject } from '../model/json';
import type { OutboxEvent } from '../model/record/event';
import type { RelationshipStatus } from '../model/record/relationship';
import type { EventName, EventPayload } from './catalogue';
import { eventIn, isEventName, type AnyEventName, type EventVersion } from './event-names';

/** Filter of a consumer. All given conditions must hold; an absent condition matches everything. */
export interface EventFilter {
	/** names of events; the events that come are typed by them, unless they are of version 7 */
	readonly names?: readonly AnyEventName[];
	/**
	 * version of the official gateway whose names and shapes the events have; absent: 6. An event
	 * that the version does not have is passed over. The other conditions compare what version 6
	 * shows.
	 */
	readonly version?: EventVersion;
	/** of all events about relationships, only those in one of these states */
	readonly relationshipStatuses?: readonly RelationshipStatus[];
	/** only events that concern one of these addresses */
	readonly peers?: readonly string[];
	/** of all events about templates and relationships, only events of these templates */
	readonly templateIds?: readonly string[];
	/**
	 * only events of templates, relationships and people with one of these purposes. The answer to an
	 * own template has the purpose of that template, everything else of a person the purpose of the
	 * template from which the current relationship came. Other events do not pass.
	 */
	readonly purposes?: readonly string[];
	/** of all events about messages, only those with content of these types */
	readonly messageTypes?: readonly string[];
	/** of all events about requests, only those in one of these states */
	readonly requestStatuses?: readonly string[];
	/**
	 * `answers`: of all changes to own requests, only changes that bring the answer. `sharedByPeers`:
	 * of all created attributes, only attributes that a peer shared. `mails`: of all received
	 * messages, only mails. `contents`: of all received messages, no requests, responses and
	 * notifications.
	 */
	readonly only?: ReadonlyArray<'answers' | 'sharedByPeers' | 'mails' | 'contents'>;
	/** of all changes of relationships, only changes of these kinds */
	readonly relationshipChanges?: readonly RelationshipChange[];
}

/**
 * `requested`: a peer wants to connect. `accepted`: the relationship has become active for the
 * first time. `ended`: it was active and no longer is.
 */
export type RelationshipChange = 'requested' | 'accepted' | 'ended';

/** What all events have, besides their data. */
export interface EventHead {
	/** stable across repetitions */
	readonly id: string;
	/** position in the sequence of all events of the account */
	readonly sequence: number;
	/** ISO time at which the event was stored */
	readonly createdAt: string;
	/** address of the peer that the event concerns */
	readonly peer?: string | undefined;
	/** correlation id of the request or sync that caused the event */
	readonly correlationId?: string | undefined;
}

/**
 * Event as handed to consumers that do not ask for names. {@link isKnownEvent} tells whether this
 * version knows its name, and with it the type of its data.
 */
export interface AnyEvent extends EventHead {
	/** name of the event, which a newer version may have added */
	readonly event: string;
	/** record or records that the event carries */
	readonly data: JsonObject;
}

/** Event of a name; of several names, a union by `event`. */
export type GatewayEvent<Name extends EventName = EventName> = {
	[Each in Name]: EventHead & {
		/** name of the event */
		readonly event: Each;
		/** record or records that the event carries */
		readonly data: EventPayload<Each>;
	};
}[Name];

/** Event that passes a filter: typed by the names in the filter, if it has some. */
export type EventOf<Filter extends EventFilter> = Filter extends {
	/** version whose events have other data */
	readonly version: 7;
}
	? AnyEvent
	: Filter extends {
				/** names by which the event is typed */
				readonly names: ReadonlyArray<infer Name extends EventName>;
		  }
		? GatewayEvent<Name>
		: AnyEvent;

/** False for an event that only a newer version of this package publishes. */
export function isKnownEvent(event: AnyEvent): event is AnyEvent & GatewayEvent {
	return isEventName(event.event);
}

/**
 * Verdict on a delivery: `accepted` moves the cursor, `repeat` delivers the same events in a new
 * attempt, `parked` keeps them for a person and moves on.
 */
export type DeliveryVerdict =
	| {
			/** the events are settled */
			readonly kind: 'accepted';
	  }
	| {
			/** the same events are delivered again */
			readonly kind: 'repeat';
			/** milliseconds until the next attempt */
			readonly afterMs: number;
			/** why the events were not accepted */
			readonly reason: string;
			/**
			 * weight added to the delivery's `refusals`: the receiver was reached and did not accept the
			 * events
			 */
			readonly refusal?: number;
	  }
	| {
			/** the events wait for a person */
			readonly kind: 'parked';
			/** what the person reads as the reason */
			readonly reason: string;
	  };

/** Events that are handed to a consumer, with the history of their delivery. */
export interface Delivery<Event = AnyEvent> {
	/** matching events, oldest first */
	readonly events: readonly Event[];
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

/** Who reads events, which ones, and what to do with them. */
export interface ConsumeOptions<Filter extends EventFilter = EventFilter> extends Cancellable {
	/** name of the stored cursor */
	readonly consumer: string;
	/** events that are delivered; others are passed over */
	readonly filter: Filter;
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
	/** takes the events and returns a verdict; an error that it throws ends `consume` */
	readonly deliver: (
		delivery: Delivery<EventOf<Filter>>,
		options: { signal: AbortSignal },
	) => Promise<DeliveryVerdict>;
}

/** Converts a stored row that passes the filter, of whose version it has the form. */
export function toEvent<Filter extends EventFilter = EventFilter>(
	event: OutboxEvent,
	{ version = 6 }: Pick<EventFilter, 'version'> = {},
): EventOf<Filter> {
	const { name, data } = eventIn(version, event) ?? event;
	const converted: AnyEvent = {
		id: eventIdOf(event.sequence),
		sequence: event.sequence,
		event: name,
		createdAt: event.createdAt,
		peer: event.peer,
		correlationId: event.correlationId,
		data,
	};
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the filter has compared the name, and `appendEvent` has checked the data by the name
	return converted as EventOf<Filter>;
}

export function eventIdOf(sequence: number): string {
	return `EVT${String(sequence).padStart(12, '0')}`;
}

/** Events that never have data (docs/protocol/http-api.md 10.2). */
const eventsWithoutData: ReadonlySet<string> = new Set<EventName>(['runtime.modulesStarted']);

export function hasNoData(name: string): boolean {
	return eventsWithoutData.has(name);
}

/** True unless the data was erased, or the event has no form in the version of the filter. */
export function isDeliverable(
	event: OutboxEvent,
	{ version = 6 }: Pick<EventFilter, 'version'>,
): boolean {
	return !isErased(event) && eventIn(version, event) !== undefined;
}

/** True if the data was erased for data protection; such an event is no longer delivered. */
export function isErased(event: OutboxEvent): boolean {
	return Object.keys(event.data).length === 0 && !hasNoData(event.name);
}
