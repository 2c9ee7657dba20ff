import { linkSignals, sleep, type Cancellable } from '../base/abort';
import { isoInstant, type Clock } from '../base/clock';
import type { ConsumerRecord, OutboxEvent } from '../model/record/event';
import type { Store } from '../store/store';
import {
	toGatewayEvent,
	type ConsumeOptions,
	type Delivery,
	type DeliveryVerdict,
	type EventFilter,
	type GatewayEvent,
} from './event-types';
import { fitsFilter } from './filter';
import { WakeUp } from './wake-up';

/** rows looked at together; events that do not fit are passed over with one write */
const readAhead = 200;
const forgottenAfterMs = 30 * 24 * 3_600_000;
/** a consumer that only waits shows that it is alive this often */
const seenEveryMs = 6 * 3_600_000;
const keptParked = 100;

/**
 * Readers of the outbox with stored cursors (design, decision 8). An attempt is stored before the
 * events are handed over and the cursor moves after the verdict, so a delivery is repeated rather
 * than lost.
 */
export class EventConsumers {
	private readonly wakeUp: WakeUp;

	private readonly closed = new AbortController();

	constructor(
		private readonly store: Store,
		private readonly clock: Clock,
	) {
		this.wakeUp = new WakeUp(store);
	}

	/** Runs until the signal aborts or the gateway closes; then it returns. */
	async consume(options: ConsumeOptions): Promise<void> {
		const signal = linkSignals(this.closed.signal, options.signal) ?? this.closed.signal;
		try {
			let consumer = await this.open(options);
			let resumed = consumer.attempt !== undefined;
			while (!signal.aborted) {
				const batch = await this.nextBatch(consumer, options);
				if (batch.events.length === 0) {
					consumer = await this.passOver(consumer, batch.lookedAtUntil);
					if (!batch.more) await this.wakeUp.wait(signal);
					continue;
				}
				consumer = await this.deliver(consumer, batch.events, options, signal, resumed);
				resumed = false;
			}
		} catch (error) {
			if (!signal.aborted) throw error;
		}
	}

	/** The newest stored events that fit, oldest first; no cursor moves. */
	async recent(
		filter: EventFilter,
		limit: number,
		options: Cancellable = {},
	): Promise<GatewayEvent[]> {
		const events = await this.store.read(async (tx) => {
			if (filter.names !== undefined) return await tx.outbox.newest(filter.names, 500);
			const last = await tx.outbox.lastSequence();
			return (await tx.outbox.readAfter(Math.max(0, last - 500), 500)).reverse();
		}, options);
		return events
			.filter((event) => !isErased(event) && fitsFilter(event, filter))
			.slice(0, limit)
			.reverse()
			.map(toGatewayEvent);
	}

	/** The first event that fits and is appended after this call. */
	async next(filter: EventFilter, options: Cancellable = {}): Promise<GatewayEvent> {
		const signal = linkSignals(this.closed.signal, options.signal) ?? this.closed.signal;
		let position = await this.store.read((tx) => tx.outbox.lastSequence(), options);
		for (;;) {
			signal.throwIfAborted();
			const events = await this.store.read((tx) => tx.outbox.readAfter(position, readAhead));
			const found = events.find((event) => fitsFilter(event, filter));
			if (found !== undefined) return toGatewayEvent(found);
			position = events.at(-1)?.sequence ?? position;
			if (events.length < readAhead) await this.wakeUp.wait(signal);
		}
	}

	async forget(consumer: string): Promise<void> {
		await this.store.transact((tx) => tx.consumers.delete(consumer));
	}

	/** Forgets consumers that nobody has run for 30 days and removes what all others have passed. */
	async maintain(retentionDays: number): Promise<void> {
		const now = this.clock.now();
		await this.store.transact(async (tx) => {
			for (const consumer of await tx.consumers.list()) {
				if (now - Date.parse(consumer.seenAt) > forgottenAfterMs) {
					await tx.consumers.delete(consumer.name);
				}
			}
			await tx.outbox.prune(isoInstant(now - retentionDays * 24 * 3_600_000));
		});
	}

	close(): void {
		this.closed.abort();
		this.wakeUp.close();
	}

	private async open(options: ConsumeOptions): Promise<ConsumerRecord> {
		return await this.store.transact(async (tx) => {
			const known = await tx.consumers.get(options.consumer);
			const position =
				known?.position ?? (options.startFrom === 'now' ? await tx.outbox.lastSequence() : 0);
			const record: ConsumerRecord = {
				name: options.consumer,
				position,
				...(known?.attempt === undefined ? {} : { attempt: known.attempt }),
				parked: known?.parked ?? [],
				seenAt: this.now(),
			};
			await tx.consumers.put(record);
			return record;
		}, options);
	}

	private async nextBatch(
		consumer: ConsumerRecord,
		options: ConsumeOptions,
	): Promise<{ events: OutboxEvent[]; lookedAtUntil: number; more: boolean }> {
		const rows = await this.store.read((tx) => tx.outbox.readAfter(consumer.position, readAhead));
		const events = rows
			.filter((event) => !isErased(event) && fitsFilter(event, options.filter))
			.slice(0, options.batchSize);
		return {
			events,
			lookedAtUntil: rows.at(-1)?.sequence ?? consumer.position,
			more: rows.length === readAhead,
		};
	}

	/** Moves past events that do not fit; writes only when something changed or it is time to be seen. */
	private async passOver(consumer: ConsumerRecord, position: number): Promise<ConsumerRecord> {
		const seenLately = this.clock.now() - Date.parse(consumer.seenAt) < seenEveryMs;
		if (position === consumer.position && seenLately) return consumer;
		return await this.save({ ...consumer, position });
	}

	private async deliver(
		consumer: ConsumerRecord,
		events: readonly OutboxEvent[],
		options: ConsumeOptions,
		signal: AbortSignal,
		resumed: boolean,
	): Promise<ConsumerRecord> {
		const first = events[0]?.sequence ?? consumer.position;
		// The same number again after a crash: the receiver can tell whether that attempt arrived.
		const isResumed = resumed && consumer.attempt?.sequence === first;
		let number = isResumed ? (consumer.attempt?.number ?? 1) : 1;
		let isRepetition = isResumed;
		for (;;) {
			consumer = await this.save({ ...consumer, attempt: { sequence: first, number } });
			const delivery: Delivery = {
				events: events.map(toGatewayEvent),
				attempt: number,
				resumed: isRepetition,
				key: `enmeshed:${options.consumer}:${first}:${number}`,
			};
			const verdict = await options.deliver(delivery, { signal });
			if (verdict.kind !== 'repeat') return await this.settle(consumer, events, verdict);
			await sleep(verdict.afterMs, { signal });
			number++;
			isRepetition = false;
		}
	}

	private async settle(
		consumer: ConsumerRecord,
		events: readonly OutboxEvent[],
		verdict: Exclude<DeliveryVerdict, { kind: 'repeat' }>,
	): Promise<ConsumerRecord> {
		const { attempt: _attempt, ...rest } = consumer;
		const parked =
			verdict.kind === 'parked'
				? events.map(({ sequence }) => ({ sequence, reason: verdict.reason, parkedAt: this.now() }))
				: [];
		return await this.save({
			...rest,
			position: events.at(-1)?.sequence ?? consumer.position,
			parked: [...consumer.parked, ...parked].slice(-keptParked),
		});
	}

	private async save(consumer: ConsumerRecord): Promise<ConsumerRecord> {
		const record = { ...consumer, seenAt: this.now() };
		await this.store.transact((tx) => tx.consumers.put(record));
		return record;
	}

	private now(): string {
		return isoInstant(this.clock.now());
	}
}

/** An event whose data was erased for data protection is not delivered any more. */
function isErased(event: OutboxEvent): boolean {
	return Object.keys(event.data).length === 0;
}
