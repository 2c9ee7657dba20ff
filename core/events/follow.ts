import { holdProcess } from '../base/hold-process';
import type { Store } from '../store/store';
import { eventErrors } from './event-errors';
import { isErased, toEvent, type AnyEvent, type EventFilter, type EventOf } from './event-types';
import { fitsFilter, requireKnownNames } from './filter';
import type { WakeUp } from './wake-up';

/** Small pages limit the memory for a slow reader, because the data of events may be large. */
const pageSize = 20;

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
	{ store, wakeUp }: { readonly store: Store; readonly wakeUp: WakeUp },
	{ filter, after, signal }: FollowOptions<Filter>,
): AsyncGenerator<FollowedEvents<EventOf<Filter>>, never> {
	requireKnownNames(filter);
	const start = await findStart(store, after, signal);
	yield { ...start, events: [] };
	let { position } = start;
	for (;;) {
		signal.throwIfAborted();
		const since = wakeUp.count;
		const rows = await store.read((tx) => tx.outbox.readAfter(position, pageSize), { signal });
		if (rows.length > 0) {
			position = rows.at(-1)?.sequence ?? position;
			const fitting = rows.filter((event) => !isErased(event) && fitsFilter(event, filter));
			yield {
				events: fitting.map((event) => toEvent<Filter>(event)),
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
	const { first, last } = await store.read(
		async ({ outbox }) => ({
			first: await outbox.firstSequence(),
			last: await outbox.lastSequence(),
		}),
		{ signal },
	);
	if (after === undefined) return { position: last, isIncomplete: false };
	if (after > last) {
		throw eventErrors.create('unknownPosition', {
			message: `There is no event ${after} yet: the newest is ${last}.`,
			facts: { after, last },
		});
	}
	const isIncomplete = first === 0 ? after < last : after < first - 1;
	return { position: after, isIncomplete };
}
