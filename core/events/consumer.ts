import { isAbort, longestTimerMs, sleep } from '../base/abort';
import { isoInstant, type Clock } from '../base/clock';
import { Semaphore } from '../base/semaphore';
import type {
	ConsumerRecord,
	DeliveryAttempt,
	OutboxEvent,
	ParkedEvent,
} from '../model/record/event';
import type { ReadTransaction, Store } from '../store/store';
import { ConsumerCursor, putPresent, withAttempt } from './consumer-cursor';
import { afterDelivery, afterFailure, afterParkedDelivery } from './delivery/delivery-outcome';
import {
	isDeliverable,
	toEvent,
	type ConsumeOptions,
	type Delivery,
	type DeliveryVerdict,
	type EventFilter,
	type EventOf,
} from './event-types';
import { peersOf } from './filter';
import { eventOf, eventsOf } from './parked-events';
import { selectEvents, type PurposesOfPeers } from './purpose';
import { isSettled } from './settled-ranges';
import { UnsettledEvents } from './unsettled-events';
import type { WakeUp } from './wake-up';

/** rows read at once */
const readAhead = 200;
/**
 * Events that may wait for people whose deliveries take long or fail. Only their numbers are in
 * memory; the stored record contains the gaps between them.
 */
const longestWait = 1_000;
/** skipped events after which the position is stored; after a crash they are only read again */
const storedEvery = 1_000;
/** interval at which an idle consumer records that it is in use */
const seenEveryMs = 6 * 3_600_000;
/** time for which a failing consumer waits for its deliveries, so that their verdicts are stored */
const graceMs = 10_000;

interface ConsumerDependencies {
	readonly store: Store;
	readonly clock: Clock;
	readonly wakeUp: WakeUp;
	readonly purposesOfPeers: PurposesOfPeers;
}

/**
 * Named reader of the outbox (docs/adr/0002). The attempt is stored before the events are handed
 * over, and settled events are stored after the verdict, so a delivery is repeated rather than
 * lost. Events of one person are delivered in order, events of several people at the same time
 * (docs/adr/0029).
 */
export class Consumer<Filter extends EventFilter> {
	private readonly unsettled = new UnsettledEvents();

	private readonly cursor: ConsumerCursor;

	/** attempts of an earlier process, which ended before it recorded the outcomes */
	private readonly begun: Map<number, DeliveryAttempt>;

	private readonly slots: Semaphore;

	private readonly deliveries = new Set<Promise<void>>();

	/** aborts when a delivery fails for a reason that is not its verdict */
	private readonly failing = new AbortController();

	/** deliveries that hold or want a slot; others wait for their next attempt */
	private active = 0;

	private isDeliveringMarked = false;

	/** ends the waiting for events, because a delivery has ended */
	private onProgress: () => void = () => undefined;

	private constructor(
		private readonly deps: ConsumerDependencies,
		private readonly options: ConsumeOptions<Filter>,
		record: ConsumerRecord,
	) {
		this.cursor = new ConsumerCursor(deps, record, this.unsettled);
		this.begun = new Map(record.attempts?.map((attempt) => [attempt.sequence, attempt]));
		this.slots = new Semaphore(this.parallel);
	}

	private get parallel(): number {
		return this.options.parallel ?? 1;
	}

	/** Resumes the stored consumer of this name, or starts at the position in the options. */
	static async open<Filter extends EventFilter>(
		deps: ConsumerDependencies,
		options: ConsumeOptions<Filter>,
	): Promise<Consumer<Filter>> {
		const record = await deps.store.transact(async (tx): Promise<ConsumerRecord> => {
			const opened = (await tx.consumers.get(options.consumer)) ?? {
				name: options.consumer,
				position: options.startFrom === 'now' ? await tx.outbox.lastSequence() : 0,
				parked: [],
			};
			return await putPresent(tx, opened, deps.clock);
		}, options);
		options.onOpened?.();
		return new Consumer(deps, options, record);
	}

	get progress(): ConsumerCursor['progress'] {
		return this.cursor.progress;
	}

	/** Rejects with the signal's reason, after the deliveries in progress have ended. */
	async run(signal: AbortSignal): Promise<void> {
		const over = AbortSignal.any([signal, this.failing.signal]);
		try {
			await this.readAndDeliver(over);
		} finally {
			const ended = Promise.allSettled(this.deliveries);
			const grace = sleep(graceMs, { signal, background: true });
			await Promise.race([ended, grace.catch(() => ended)]);
		}
	}

	private async readAndDeliver(signal: AbortSignal): Promise<void> {
		let isNews = true;
		let hasMore = true;
		for (;;) {
			signal.throwIfAborted();
			const since = this.deps.wakeUp.count;
			if (isNews || hasMore) hasMore = await this.readOn(isNews, signal);
			while (this.active < this.parallel) {
				const { batchSize } = this.options;
				const sequences = this.unsettled.take(batchSize, this.eventsBegun, this.cursor.readUpTo);
				if (sequences.length === 0) break;
				this.track(this.deliver(sequences, signal));
			}
			isNews = hasMore && this.hasRoom ? false : await this.waitForMore(since, signal);
		}
	}

	/** Reads further events while there is room for them; returns whether there may be more. */
	private async readOn(isNews: boolean, signal: AbortSignal): Promise<boolean> {
		const { hasRoom } = this;
		if (!hasRoom && !isNews) return true;
		const after = this.cursor.readUpTo;
		const { store, purposesOfPeers } = this.deps;
		const { rows, wanted, hasMarked } = await store.read(async (tx) => {
			const read = hasRoom ? await tx.outbox.readAfter(after, readAhead) : [];
			return {
				rows: read,
				wanted: await selectEvents(tx, read, this.options.filter, purposesOfPeers),
				hasMarked: isNews && (await this.marked(tx)).length > 0,
			};
		});
		for (const event of wanted) {
			if (isSettled(this.cursor.record, event.sequence)) continue;
			this.unsettled.add(event.sequence, this.keyOf(event));
		}
		this.cursor.readUpTo = rows.at(-1)?.sequence ?? after;
		if (hasMarked && !this.isDeliveringMarked) this.track(this.deliverMarked(signal));
		const hasMore = !hasRoom || rows.length === readAhead;
		await this.storePosition(!hasMore);
		return hasMore;
	}

	/** Events of one person have one key; with a single delivery at a time, all events have one. */
	private keyOf(event: OutboxEvent): string {
		return this.parallel === 1 ? '' : (peersOf(event)[0] ?? '');
	}

	/** A delivery that was begun earlier is read as a whole, because it is repeated as a whole. */
	private get hasRoom(): boolean {
		const begunUpTo = Math.max(
			0,
			...[...this.begun.values()].map(({ events }) => events.at(-1) ?? 0),
		);
		return this.unsettled.size < longestWait || begunUpTo > this.cursor.readUpTo;
	}

	private get eventsBegun(): ReadonlyMap<number, readonly number[]> {
		return new Map([...this.begun].map(([first, { events }]) => [first, events]));
	}

	private track(work: Promise<void>): void {
		this.active++;
		const tracked = work
			.catch((error: unknown) => this.failing.abort(error))
			.finally(() => {
				this.active--;
				this.deliveries.delete(tracked);
				this.onProgress();
			});
		this.deliveries.add(tracked);
	}

	/** Returns true if there may be new events, false if a delivery has ended. */
	private async waitForMore(since: number, signal: AbortSignal): Promise<boolean> {
		const progress = new AbortController();
		this.onProgress = () => progress.abort();
		try {
			await this.deps.wakeUp.wait(since, AbortSignal.any([signal, progress.signal]));
			return true;
		} catch (error) {
			signal.throwIfAborted();
			if (!isAbort(error, progress.signal)) throw error;
			return false;
		} finally {
			this.onProgress = () => undefined;
		}
	}

	/** Delivers events until they are settled; only the time of a delivery occupies a slot. */
	private async deliver(sequences: readonly number[], signal: AbortSignal): Promise<void> {
		const [first = 0] = sequences;
		// Keeps the number of an attempt that a crash interrupted, so that the receiver can recognise
		// it.
		const resumed = this.begun.get(first);
		this.begun.delete(first);
		let attempt = resumed ?? { sequence: first, events: [...sequences], number: 1, refusals: 0 };
		const read = (tx: ReadTransaction): Promise<OutboxEvent[]> => eventsOf(tx, sequences);
		let events = await this.cursor.save({ apply: (stored) => withAttempt(stored, attempt), read });
		for (let isResumed = resumed !== undefined; ; isResumed = false) {
			const verdict = await this.handOver(events, attempt, isResumed, signal);
			if (verdict.kind !== 'repeat') return await this.settle(sequences, verdict);
			// An abort leaves the attempt stored as in progress, because its outcome is unknown.
			signal.throwIfAborted();
			const { number, refusals } = attempt;
			const next = { number: number + 1, refusals: refusals + (verdict.refusal ?? 0) };
			attempt = { ...attempt, ...next };
			// Stored before the wait, so that a crash during it does not repeat the failed attempt.
			await this.cursor.save({
				apply: (stored) => afterFailure(withAttempt(stored, attempt), verdict.reason, this.now),
			});
			await this.pause(verdict.afterMs, signal);
			events = await this.deps.store.read(read);
		}
	}

	/** Waits for the next attempt, while other people's events are delivered. */
	private async pause(afterMs: number, signal: AbortSignal): Promise<void> {
		this.active--;
		this.onProgress();
		try {
			const delayMs = Math.min(Math.max(0, afterMs), longestTimerMs);
			await sleep(delayMs, { signal, background: true });
		} finally {
			this.active++;
		}
	}

	private async handOver(
		events: readonly OutboxEvent[],
		{ sequence, number, refusals }: DeliveryAttempt,
		resumed: boolean,
		signal: AbortSignal,
	): Promise<DeliveryVerdict> {
		// The data of events may be erased, or the version may be another one, while they wait.
		const left = events.filter((event) => isDeliverable(event, this.options.filter));
		if (left.length === 0) return { kind: 'accepted' };
		const key = `enmeshed:${this.options.consumer}:${sequence}:${number}`;
		const facts = { attempt: number, resumed, key, refusals, isParked: false };
		return await this.inSlot(
			{ ...facts, events: left.map((event) => toEvent<Filter>(event, this.options.filter)) },
			signal,
		);
	}

	private inSlot(
		delivery: Omit<Delivery<EventOf<Filter>>, 'canPark'>,
		signal: AbortSignal,
	): Promise<DeliveryVerdict> {
		const { parkLimit = Number.POSITIVE_INFINITY, deliver } = this.options;
		return this.slots.run(() => {
			const canPark = this.cursor.record.parked.length < parkLimit;
			return deliver({ ...delivery, canPark }, { signal });
		});
	}

	private async settle(
		sequences: readonly number[],
		verdict: Exclude<DeliveryVerdict, { kind: 'repeat' }>,
	): Promise<void> {
		const { parkLimit } = this.options;
		const facts = { sequences, now: this.now, parkLimit };
		await this.cursor.save({
			settled: sequences,
			apply: (stored) => afterDelivery(stored, verdict, facts),
		});
	}

	/**
	 * Delivers parked events again that a person requested, each once; an event that fails again
	 * stays parked.
	 */
	private async deliverMarked(signal: AbortSignal): Promise<void> {
		this.isDeliveringMarked = true;
		try {
			const marked = await this.deps.store.read((tx) => this.marked(tx));
			for (const parked of marked) {
				signal.throwIfAborted();
				await this.deliverAgain(parked, signal);
			}
		} finally {
			this.isDeliveringMarked = false;
		}
	}

	private async marked(tx: Pick<ReadTransaction, 'consumers'>): Promise<ParkedEvent[]> {
		const stored = await tx.consumers.get(this.options.consumer);
		return stored?.parked.filter(({ again }) => again === true) ?? [];
	}

	private async deliverAgain(
		{ sequence, parkedAt }: ParkedEvent,
		signal: AbortSignal,
	): Promise<void> {
		const { filter } = this.options;
		const event = await this.deps.store.read((tx) => eventOf(tx, sequence));
		const key = `enmeshed:${this.options.consumer}:${sequence}:again:${Date.parse(parkedAt)}`;
		const facts = { attempt: 1, resumed: false, key, refusals: 0, isParked: true };
		const verdict: DeliveryVerdict =
			event === undefined || !isDeliverable(event, filter)
				? { kind: 'accepted' }
				: await this.inSlot({ ...facts, events: [toEvent<Filter>(event, filter)] }, signal);
		if (verdict.kind === 'repeat') signal.throwIfAborted();
		const outcome = { sequence, now: this.now };
		await this.cursor.save({ apply: (stored) => afterParkedDelivery(stored, verdict, outcome) });
	}

	private get now(): string {
		return isoInstant(this.deps.clock.now());
	}

	/**
	 * Stores the position at intervals and when there is nothing to read, so that pruning can
	 * proceed.
	 */
	private async storePosition(isQuiet: boolean): Promise<void> {
		const { record, settledUpTo } = this.cursor;
		const passed = settledUpTo - record.position;
		const seenLately = this.deps.clock.now() - Date.parse(record.seenAt) < seenEveryMs;
		const isDue = passed >= storedEvery || !seenLately || (isQuiet && passed >= readAhead);
		if (isDue) await this.cursor.save({});
	}
}
