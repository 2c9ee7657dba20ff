import { sleep } from '../base/abort';
import { isoInstant, type Clock } from '../base/clock';
import type { ConsumerRecord, OutboxEvent, ParkedEvent } from '../model/record/event';
import type { ReadTransaction, Store } from '../store/store';
import {
	isErased,
	toGatewayEvent,
	type ConsumeOptions,
	type Delivery,
	type DeliveryVerdict,
} from './event-types';
import { fitsFilter } from './filter';
import { eventOf, parkAgain, withParked, withoutParked } from './parked-events';
import type { WakeUp } from './wake-up';

/** rows read at once */
const readAhead = 200;
/** skipped events after which the position is stored; after a crash they are only read again */
const storedEvery = 1_000;
/** interval at which an idle consumer records that it is in use */
const seenEveryMs = 6 * 3_600_000;
const longestDelayMs = 2 ** 31 - 1;

interface Batch {
	readonly events: readonly OutboxEvent[];
	/** sequence number up to which events were read; matching ones are in the batch */
	readonly until: number;
	readonly hasMore: boolean;
	/** true if another attempt at parked events was requested */
	readonly hasMarked: boolean;
}

/**
 * Named reader of the outbox (docs/adr/0002). The attempt is stored before the events are handed
 * over, and the cursor moves after the verdict, so a delivery is repeated rather than lost.
 */
export class Consumer {
	private constructor(
		private readonly deps: {
			readonly store: Store;
			readonly clock: Clock;
			readonly wakeUp: WakeUp;
		},
		private readonly options: ConsumeOptions,
		private record: ConsumerRecord,
		/** attempt of an earlier process, which ended before it recorded the outcome */
		private unfinished: ConsumerRecord['attempt'],
	) {}

	/** Resumes the stored consumer of this name, or starts at the position in the options. */
	static async open(
		deps: { readonly store: Store; readonly clock: Clock; readonly wakeUp: WakeUp },
		options: ConsumeOptions,
	): Promise<Consumer> {
		const record = await deps.store.transact(async (tx): Promise<ConsumerRecord> => {
			const known = await tx.consumers.get(options.consumer);
			const seenAt = isoInstant(deps.clock.now());
			const opened = known ?? {
				name: options.consumer,
				position: options.startFrom === 'now' ? await tx.outbox.lastSequence() : 0,
				parked: [],
				seenAt,
			};
			const present = withoutAbsence({ ...opened, seenAt });
			await tx.consumers.put(present);
			return present;
		}, options);
		options.onOpened?.();
		return new Consumer(deps, options, record, record.attempt);
	}

	/** Rejects with the signal's reason. */
	async run(signal: AbortSignal): Promise<void> {
		let position = this.record.position;
		for (;;) {
			signal.throwIfAborted();
			const since = this.deps.wakeUp.count;
			const batch = await this.nextBatch(position);
			if (batch.hasMarked) await this.deliverMarked(signal);
			if (batch.events.length > 0) {
				await this.deliver(batch.events, signal);
				position = this.record.position;
				continue;
			}
			position = batch.until;
			await this.skipTo(position, !batch.hasMore);
			if (!batch.hasMore) await this.deps.wakeUp.wait(since, signal);
		}
	}

	private async nextBatch(position: number): Promise<Batch> {
		const { rows, hasMarked } = await this.deps.store.read(async (tx) => ({
			rows: await tx.outbox.readAfter(position, readAhead),
			hasMarked: (await this.marked(tx)).length > 0,
		}));
		const fitting = rows.filter(
			(event) => !isErased(event) && fitsFilter(event, this.options.filter),
		);
		return {
			events: this.eventsOfAttempt(fitting),
			until: rows.at(-1)?.sequence ?? position,
			hasMore: rows.length === readAhead,
			hasMarked,
		};
	}

	/**
	 * Repeats an unfinished attempt with exactly the same events: the receiver may already know its
	 * key and would take added events for delivered.
	 */
	private eventsOfAttempt(events: readonly OutboxEvent[]): readonly OutboxEvent[] {
		const first = events[0]?.sequence;
		const { unfinished } = this;
		const last =
			unfinished !== undefined && unfinished.sequence === first
				? unfinished.lastSequence
				: undefined;
		const limit = last ?? Number.POSITIVE_INFINITY;
		return events.slice(0, this.options.batchSize).filter(({ sequence }) => sequence <= limit);
	}

	private async deliver(events: readonly OutboxEvent[], signal: AbortSignal): Promise<void> {
		const first = events[0]?.sequence ?? 0;
		const lastSequence = events.at(-1)?.sequence ?? first;
		// Keeps the number of an attempt that a crash interrupted, so that the receiver can recognise
		// it.
		const resumed = this.unfinished?.sequence === first ? this.unfinished : undefined;
		let isResumed = resumed !== undefined;
		let number = resumed?.number ?? 1;
		let refusals = resumed?.refusals ?? 0;
		this.unfinished = undefined;
		const storeAttempt = () => {
			const attempt = { sequence: first, lastSequence, number, refusals };
			return this.save((stored) => ({ ...stored, attempt }));
		};
		await storeAttempt();
		for (;;) {
			const verdict = await this.handOver(
				{
					events: events.map(toGatewayEvent),
					attempt: number,
					resumed: isResumed,
					key: `enmeshed:${this.options.consumer}:${first}:${number}`,
					refusals,
					isParked: false,
				},
				signal,
			);
			if (verdict.kind !== 'repeat') return await this.settle(events, verdict);
			// An abort leaves the attempt stored as in progress, because its outcome is unknown.
			signal.throwIfAborted();
			number++;
			refusals += verdict.refusal ?? 0;
			isResumed = false;
			// Stored before the wait, so that a crash during it does not repeat the failed attempt.
			await storeAttempt();
			const delayMs = Math.min(Math.max(0, verdict.afterMs), longestDelayMs);
			await sleep(delayMs, { signal, background: true });
			// Parked events can be requested while this event is waiting.
			await this.deliverMarked(signal);
		}
	}

	private handOver(
		delivery: Omit<Delivery, 'canPark'>,
		signal: AbortSignal,
	): Promise<DeliveryVerdict> {
		const { parkLimit = Number.POSITIVE_INFINITY, deliver } = this.options;
		return deliver({ ...delivery, canPark: this.record.parked.length < parkLimit }, { signal });
	}

	private async settle(
		events: readonly OutboxEvent[],
		verdict: Exclude<DeliveryVerdict, { kind: 'repeat' }>,
	): Promise<void> {
		const parkedAt = isoInstant(this.deps.clock.now());
		const sequences = events.map(({ sequence }) => sequence);
		await this.save(({ attempt: _attempt, ...stored }) => ({
			...stored,
			position: Math.max(stored.position, sequences.at(-1) ?? 0),
			parked:
				verdict.kind === 'parked'
					? withParked(
							stored.parked,
							sequences,
							{ reason: verdict.reason, parkedAt },
							this.options.parkLimit,
						)
					: stored.parked,
		}));
	}

	/**
	 * Delivers parked events again that a person requested, each once; an event that fails again
	 * stays parked.
	 */
	private async deliverMarked(signal: AbortSignal): Promise<void> {
		const marked = await this.deps.store.read((tx) => this.marked(tx));
		for (const parked of marked) {
			signal.throwIfAborted();
			await this.deliverAgain(parked, signal);
		}
	}

	private async marked(tx: Pick<ReadTransaction, 'consumers'>): Promise<ParkedEvent[]> {
		const stored = await tx.consumers.get(this.options.consumer);
		return stored?.parked.filter(({ again }) => again === true) ?? [];
	}

	private async deliverAgain({ sequence, parkedAt }: ParkedEvent, signal: AbortSignal) {
		const event = await this.deps.store.read((tx) => eventOf(tx, sequence));
		const verdict: DeliveryVerdict =
			event === undefined || isErased(event)
				? { kind: 'accepted' }
				: await this.handOver(
						{
							events: [toGatewayEvent(event)],
							attempt: 1,
							resumed: false,
							key: `enmeshed:${this.options.consumer}:${sequence}:again:${Date.parse(parkedAt)}`,
							refusals: 0,
							isParked: true,
						},
						signal,
					);
		if (verdict.kind === 'repeat') signal.throwIfAborted();
		const now = isoInstant(this.deps.clock.now());
		await this.save((stored) => ({
			...stored,
			parked:
				verdict.kind === 'accepted'
					? withoutParked(stored.parked, sequence)
					: parkAgain(stored.parked, { sequence, reason: verdict.reason, parkedAt: now }),
		}));
	}

	/**
	 * Stores the position at intervals and when there is nothing to read, so that pruning can
	 * proceed.
	 */
	private async skipTo(position: number, isQuiet: boolean): Promise<void> {
		const passed = position - this.record.position;
		const seenLately = this.deps.clock.now() - Date.parse(this.record.seenAt) < seenEveryMs;
		const isDue = passed >= storedEvery || !seenLately || (isQuiet && passed >= readAhead);
		if (isDue) await this.save((stored) => ({ ...stored, position }));
	}

	/** Applies a change to the stored record, which other processes may have changed. */
	private async save(change: (stored: ConsumerRecord) => ConsumerRecord): Promise<void> {
		const seenAt = isoInstant(this.deps.clock.now());
		this.record = await this.deps.store.transact(async (tx) => {
			const stored = (await tx.consumers.get(this.record.name)) ?? this.record;
			const changed = change(stored);
			// Two consumers of one name overlap while a trigger is replaced; the slower must not move the
			// cursor back.
			const position = Math.max(changed.position, stored.position);
			const next = withoutAbsence({ ...changed, position, seenAt });
			await tx.consumers.put(next);
			return next;
		});
	}
}

function withoutAbsence({ absence: _absence, ...present }: ConsumerRecord): ConsumerRecord {
	return present;
}
