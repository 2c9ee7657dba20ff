import { holdProcess } from '../base/hold-process';
import type { ReadTransaction, Store } from '../store/store';
import { eventErrors } from './event-errors';
import { toEvent, type AnyEvent, type EventFilter, type EventOf } from './event-types';
import { requireKnownNames } from './filter';
import { selectEvents, type PurposesOfPeers } from './purpose';
import type { WakeUp } from './wake-up';

/** Small pages limit the memory for a slow reader, because the data of events may be large. */
const pageSize = 20;

interface FollowDependencies {
	readonly store: Store;
	readonly wakeUp: WakeUp;
	readonly purposesOfPeers: PurposesOfPeers;
}

/** Which events are followed, and from where. */
export interface FollowOptions<Filter extends EventFilter = EventFilter> {
	/** events that are returned; others are passed over */
	readonly filter: Filter;
	/** sequence number after which to start; absent: new events only */
	readonly after?: number | undefined;
	/** ends the sequence, with its reason */
	readonly signal: AbortSignal;
}

/** Page of followed events. */
export interface FollowedEvents<Event = AnyEvent> {
	/** matching events, oldest first */
	readonly events: readonly Event[];
	/** sequence number up to which events were read, from which to resume */
	readonly position: number;
	/** true if events after the requested position were already pruned */
	readonly isIncomplete: boolean;
}

/**
 * Reads the outbox from a position on, without a stored cursor. The first page states the position
 * and has no events; further pages are read on demand. Ends by the signal, with its reason.
 *
 * @throws `error.gateway.events.unknownPosition`, `error.gateway.events.unknownName`
 */
export async function* followEvents<Filter extends EventFilter>(
	{ store, wakeUp, purposesOfPeers }: FollowDependencies,
	{ filter, after, signal }: FollowOptions<Filter>,
): AsyncGenerator<FollowedEvents<EventOf<Filter>>, never> {
	requireKnownNames(filter);
	const start = await findStart(store, after, signal);
	yield { ...start, events: [] };
	let { position } = start;
	for (;;) {
		signal.throwIfAborted();
		const since = wakeUp.count;
		const { rows, fitting } = await store.read(
			async (tx) => {
				const read = await tx.outbox.readAfter(position, pageSize);
				return { rows: read, fitting: await selectEvents(tx, read, filter, purposesOfPeers) };
			},
			{ signal },
		);
		if (rows.length > 0) {
			position = rows.at(-1)?.sequence ?? position;
			yield {
				events: fitting.map((event) => toEvent<Filter>(event, filter)),
				position,
				isIncomplete: false,
			};
		} else await holdProcess(wakeUp.wait(since, signal));
	}
}

async function findStart(
	store: Store,
	after: number | undefined,
	signal: AbortSignal,
): Promise<Omit<FollowedEvents, 'events'>> {
	return await store.read((tx) => startAfter(tx, after), { signal });
}

/**
 * Position from which events are read: the given one, or the end.
 *
 * @throws `error.gateway.events.unknownPosition`
 */
export async function startAfter(
	{ outbox }: Pick<ReadTransaction, 'outbox'>,
	after: number | undefined,
): Promise<Omit<FollowedEvents, 'events'>> {
	const first = await outbox.firstSequence();
	const last = await outbox.lastSequence();
	if (after === undefined) return { position: last, isIncomplete: false };
	if (after > last) throw unknownPosition(after, last);
	const isIncomplete = first === 0 ? after < last : after < first - 1;
	return { position: after, isIncomplete };
}

function unknownPosition(after: number, last: number): Error {
	return eventErrors.create('unknownPosition', {
		message: `There is no event ${after} yet: the newest is ${last}.`,
		facts: { after, last },
	});
}
