import { linkSignals, type Cancellable } from '../base/abort';
import type { Clock } from '../base/clock';
import type { ConsumerStatusDto } from '../model/record/sync';
import type { OutboxEvent } from '../model/record/event';
import type { ReadTransaction, Store } from '../store/store';
import { Consumer } from './consumer';
import {
	deliveryProgress,
	type DeliveryProgress,
	type WatchedConsumer,
} from './delivery/delivery-progress';
import { EventPages } from './event-pages';
import { statusOfConsumers, type RunningConsumer } from './consumer-status';
import { toEvent, type ConsumeOptions, type EventFilter, type EventOf } from './event-types';
import { requireKnownNames } from './filter';
import { followEvents, type FollowedEvents, type FollowOptions } from './follow';
import { selectEvents, type PurposesOfPeers } from './purpose';
import { WakeUp } from './wake-up';

/** number of rows that `recent` searches */
const searchedRows = 500;

/** Consumers of one account's outbox in this process. */
export class EventConsumers {
	readonly wakeUp: WakeUp;

	readonly pages: EventPages;

	private readonly closed = new AbortController();

	/** by name; of two with one name, the later one replaces the earlier one */
	private readonly running = new Map<string, RunningConsumer>();

	constructor(
		readonly store: Store,
		private readonly clock: Clock,
		readonly purposesOfPeers: PurposesOfPeers,
	) {
		this.wakeUp = new WakeUp(store);
		this.pages = new EventPages({ store, clock, purposesOfPeers });
	}

	/** Progress of consumers, in their order. */
	async progressOf(
		consumers: readonly WatchedConsumer[],
		options: Cancellable = {},
	): Promise<DeliveryProgress[]> {
		const { store, purposesOfPeers } = this;
		return await store.read((tx) => deliveryProgress(tx, consumers, purposesOfPeers), options);
	}

	/** Runs a consumer until the signal aborts or the gateway closes, then returns. */
	async consume<const Filter extends EventFilter>(options: ConsumeOptions<Filter>): Promise<void> {
		requireKnownNames(options.filter);
		const signal = linkSignals(this.closed.signal, options.signal) ?? this.closed.signal;
		const { store, clock, wakeUp, purposesOfPeers } = this;
		try {
			const dependencies = { store, clock, wakeUp, purposesOfPeers };
			const consumer = await Consumer.open(dependencies, { ...options, signal });
			this.running.set(options.consumer, consumer);
			try {
				await consumer.run(signal);
			} finally {
				if (this.running.get(options.consumer) === consumer) this.running.delete(options.consumer);
			}
		} catch (error) {
			if (!signal.aborted) throw error;
		}
	}

	/** Newest stored events that match, oldest first; moves no cursor. */
	async recent<const Filter extends EventFilter>(
		filter: Filter,
		limit: number,
		options: Cancellable = {},
	): Promise<Array<EventOf<Filter>>> {
		requireKnownNames(filter);
		const events = await this.store.read(async (tx) => {
			const newest = await newestEvents(tx, filter);
			return await selectEvents(tx, newest, filter, this.purposesOfPeers);
		}, options);
		return events
			.slice(0, limit)
			.reverse()
			.map((event) => toEvent<Filter>(event, filter));
	}

	/** First matching event that is appended after this call. */
	async next<const Filter extends EventFilter>(
		filter: Filter,
		{ signal = this.closed.signal }: Cancellable = {},
	): Promise<EventOf<Filter>> {
		for await (const { events } of this.follow({ filter, signal })) {
			const [first] = events;
			if (first !== undefined) return first;
		}
		throw new TypeError('Events are followed without end.');
	}

	/** Reads events on demand from a position on; stores no cursor. */
	follow<const Filter extends EventFilter>({
		signal,
		...options
	}: FollowOptions<Filter>): AsyncGenerator<FollowedEvents<EventOf<Filter>>, never> {
		const linked = AbortSignal.any([this.closed.signal, signal]);
		return followEvents(this, { ...options, signal: linked });
	}

	/**
	 * Waits for what a change brings about: checks it at once, and again after events that match,
	 * until there is a value.
	 */
	async until<Found>(
		filter: EventFilter,
		check: () => Promise<Found | undefined>,
		{ signal = this.closed.signal }: Cancellable = {},
	): Promise<Found> {
		let isFirst = true;
		// The first page has the position from which events are read. It comes before the first check,
		// so that no change is missed.
		for await (const { events } of this.follow({ filter, signal })) {
			const found = isFirst || events.length > 0 ? await check() : undefined;
			if (found !== undefined) return found;
			isFirst = false;
		}
		throw new TypeError('Events are followed without end.');
	}

	/** Lists all consumers of the account, with what waits for each. */
	async status(tx: ReadTransaction): Promise<ConsumerStatusDto[]> {
		return await statusOfConsumers(tx, this.running);
	}

	async forget(consumer: string): Promise<void> {
		await this.store.transact((tx) => tx.consumers.delete(consumer));
	}

	close(): void {
		this.closed.abort();
		this.wakeUp.close();
	}
}

/** Reads the newest rows that a filter may let pass, newest first. */
async function newestEvents(
	tx: ReadTransaction,
	{ names, version }: EventFilter,
): Promise<OutboxEvent[]> {
	// Names of version 7 are not those under which events are stored.
	if (names !== undefined && version !== 7) return await tx.outbox.newest(names, searchedRows);
	const last = await tx.outbox.lastSequence();
	return (await tx.outbox.readAfter(Math.max(0, last - searchedRows), searchedRows)).reverse();
}
