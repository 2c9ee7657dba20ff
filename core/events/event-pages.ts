import type { Cancellable } from '../base/abort';
import type { Clock } from '../base/clock';
import type { ConsumerRecord } from '../model/record/event';
import type { ReadTransaction, Store } from '../store/store';
import { putPresent } from './consumer-cursor';
import { toEvent, type AnyEvent, type EventFilter } from './event-types';
import { requireKnownNames } from './filter';
import { startAfter } from './follow';
import { selectEvents, type PurposesOfPeers } from './purpose';

/** rows that one page searches at most, so that a call ends soon */
const searchedRows = 1_000;
const readAtOnce = 100;
/** age of the sign of life of a consumer from which on a page renews it */
const seenEveryMs = 6 * 3_600_000;
const namePrefix = 'poll:';

/** Which page of events is read. */
export interface EventPageInput {
	/** events that are returned; others are passed over */
	readonly filter: EventFilter;
	/** greatest number of events */
	readonly limit: number;
	/**
	 * sequence number after which the page begins; absent: at the acknowledged position of the
	 * consumer, or without one at the end
	 */
	readonly after?: number | undefined;
	/** name of a reader whose position is stored; absent: none */
	readonly consumer?: string | undefined;
}

/** Page of events for a client that polls. */
export interface EventPage {
	/** matching events, oldest first */
	readonly events: readonly AnyEvent[];
	/** sequence number up to which events were read, for `after` and for acknowledgements */
	readonly position: number;
	/** true if there may be further events after the position already */
	readonly hasMore: boolean;
	/** true if events after the requested position were already pruned */
	readonly isIncomplete: boolean;
}

interface EventPagesDependencies {
	readonly store: Store;
	readonly clock: Clock;
	readonly purposesOfPeers: PurposesOfPeers;
}

/** Pages of events, and the positions of named readers that acknowledge them. */
export class EventPages {
	constructor(private readonly dependencies: EventPagesDependencies) {}

	/**
	 * Reads a page. A named reader is stored with its first page; from then on it gets every event
	 * after its acknowledged position, again and again until it acknowledges a later one.
	 *
	 * @throws `error.gateway.events.unknownPosition`, `error.gateway.events.unknownName`
	 */
	async read(input: EventPageInput, options: Cancellable = {}): Promise<EventPage> {
		requireKnownNames(input.filter);
		const { store } = this.dependencies;
		const { consumer } = input;
		const known =
			consumer === undefined
				? undefined
				: await this.openReader(namePrefix + consumer, input.after, options);
		const after = input.after ?? known?.position;
		return await store.read((tx) => this.pageAfter(tx, after, input), options);
	}

	/**
	 * Acknowledges all events up to a position; an earlier position than the stored one changes
	 * nothing.
	 *
	 * @returns the acknowledged position
	 * @throws `error.gateway.events.unknownPosition`
	 */
	async acknowledge(
		consumer: string,
		position: number,
		options: Cancellable = {},
	): Promise<{ readonly position: number }> {
		const { store, clock } = this.dependencies;
		return await store.transact(async (tx) => {
			await startAfter(tx, position);
			const name = namePrefix + consumer;
			const stored = await tx.consumers.get(name);
			const acknowledged = Math.max(stored?.position ?? 0, position);
			await putPresent(tx, { ...(stored ?? newReader(name)), position: acknowledged }, clock);
			return { position: acknowledged };
		}, options);
	}

	/** Deletes a named reader. */
	async forget(consumer: string, options: Cancellable = {}): Promise<void> {
		await this.dependencies.store.transact(
			(tx) => tx.consumers.delete(namePrefix + consumer),
			options,
		);
	}

	private async openReader(
		name: string,
		after: number | undefined,
		options: Cancellable,
	): Promise<ConsumerRecord> {
		const { store, clock } = this.dependencies;
		const known = await store.read((tx) => tx.consumers.get(name), options);
		const isFresh = known !== undefined && clock.now() - Date.parse(known.seenAt) < seenEveryMs;
		if (isFresh) return known;
		return await store.transact(async (tx) => {
			const stored = await tx.consumers.get(name);
			if (stored !== undefined) return await putPresent(tx, stored, clock);
			const { position } = await startAfter(tx, after);
			return await putPresent(tx, { ...newReader(name), position }, clock);
		}, options);
	}

	private async pageAfter(
		tx: ReadTransaction,
		after: number | undefined,
		{ filter, limit }: EventPageInput,
	): Promise<EventPage> {
		const start = await startAfter(tx, after);
		const events: AnyEvent[] = [];
		let { position } = start;
		let hasMore = true;
		for (let searched = 0; searched < searchedRows && hasMore; searched += readAtOnce) {
			const rows = await tx.outbox.readAfter(position, readAtOnce);
			for (const event of await selectEvents(tx, rows, filter, this.dependencies.purposesOfPeers)) {
				events.push(toEvent(event, filter));
				if (events.length < limit) continue;
				// Events after the last one of the page are left to the next page.
				return { ...start, events, position: event.sequence, hasMore: true };
			}
			position = rows.at(-1)?.sequence ?? position;
			hasMore = rows.length === readAtOnce;
		}
		return { ...start, events, position, hasMore };
	}
}

const newReader = (name: string) => ({ name, position: 0, parked: [] });
