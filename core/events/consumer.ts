import { sleep } from '../base/abort';
import { isoInstant, type Clock } from '../base/clock';
import type { ConsumerRecord, OutboxEvent } from '../model/record/event';
import type { Store } from '../store/store';
import { isErased, toGatewayEvent, type ConsumeOptions, type DeliveryVerdict } from './event-types';
import { fitsFilter } from './filter';
import type { WakeUp } from './wake-up';

/** rows looked at together */
const readAhead = 200;
/** events passed over before the position is stored: a crash only means looking at them again */
const storedEvery = 1_000;
/** a consumer that only waits shows that it is alive this often */
const seenEveryMs = 6 * 3_600_000;
const keptParked = 100;
const longestDelayMs = 2 ** 31 - 1;

interface Batch {
	readonly events: readonly OutboxEvent[];
	/** events up to here were looked at and those that fit are in the batch */
	readonly until: number;
	readonly hasMore: boolean;
}

/**
 * One named reader of the outbox (design, decision 8). The attempt is stored before the events are
 * handed over and the cursor moves after the verdict, so a delivery is repeated rather than lost.
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
		/** an attempt that was stored by somebody who did not live to tell its outcome */
		private unfinished: ConsumerRecord['attempt'],
	) {}

	/** Continues where the consumer of this name left off, or begins where the options say. */
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
			await tx.consumers.put({ ...opened, seenAt });
			return { ...opened, seenAt };
		}, options);
		return new Consumer(deps, options, record, record.attempt);
	}

	/** Rejects with the signal's reason. */
	async run(signal: AbortSignal): Promise<void> {
		let position = this.record.position;
		for (;;) {
			signal.throwIfAborted();
			const since = this.deps.wakeUp.count;
			const batch = await this.nextBatch(position);
			if (batch.events.length > 0) {
				await this.deliver(batch.events, signal);
				position = this.record.position;
				continue;
			}
			position = batch.until;
			await this.passOver(position, !batch.hasMore);
			if (!batch.hasMore) await this.deps.wakeUp.wait(since, signal);
		}
	}

	private async nextBatch(position: number): Promise<Batch> {
		const rows = await this.deps.store.read((tx) => tx.outbox.readAfter(position, readAhead));
		const fitting = rows.filter(
			(event) => !isErased(event) && fitsFilter(event, this.options.filter),
		);
		return {
			events: this.together(fitting),
			until: rows.at(-1)?.sequence ?? position,
			hasMore: rows.length === readAhead,
		};
	}

	/**
	 * An unfinished attempt is repeated with the very same events: its key may be known to the
	 * receiver, who would take what was added since then for delivered.
	 */
	private together(events: readonly OutboxEvent[]): readonly OutboxEvent[] {
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
		// The same number again after a crash: the receiver can tell whether that attempt arrived.
		let isResumed = this.unfinished?.sequence === first;
		let number = isResumed ? (this.unfinished?.number ?? 1) : 1;
		this.unfinished = undefined;
		const storeAttempt = () =>
			this.save({ ...this.record, attempt: { sequence: first, lastSequence, number } });
		await storeAttempt();
		for (;;) {
			const delivery = {
				events: events.map(toGatewayEvent),
				attempt: number,
				resumed: isResumed,
				key: `enmeshed:${this.options.consumer}:${first}:${number}`,
			};
			const verdict = await this.options.deliver(delivery, { signal });
			if (verdict.kind !== 'repeat') return await this.settle(events, verdict);
			// Nobody has judged the attempt when we are told to stop: it stays the one under way.
			signal.throwIfAborted();
			number++;
			isResumed = false;
			// Stored before the wait: a process that dies in it does not repeat what has failed.
			await storeAttempt();
			const delayMs = Math.min(Math.max(0, verdict.afterMs), longestDelayMs);
			await sleep(delayMs, { signal, background: true });
		}
	}

	private async settle(
		events: readonly OutboxEvent[],
		verdict: Exclude<DeliveryVerdict, { kind: 'repeat' }>,
	): Promise<void> {
		const { attempt: _attempt, ...rest } = this.record;
		const parkedAt = isoInstant(this.deps.clock.now());
		const parked =
			verdict.kind === 'parked'
				? events.map(({ sequence }) => ({ sequence, reason: verdict.reason, parkedAt }))
				: [];
		await this.save({
			...rest,
			position: events.at(-1)?.sequence ?? rest.position,
			parked: [...rest.parked, ...parked].slice(-keptParked),
		});
	}

	/** Stores the position now and then, and when all is quiet, so that pruning can go on. */
	private async passOver(position: number, isQuiet: boolean): Promise<void> {
		const passed = position - this.record.position;
		const seenLately = this.deps.clock.now() - Date.parse(this.record.seenAt) < seenEveryMs;
		const isDue = passed >= storedEvery || !seenLately || (isQuiet && passed >= readAhead);
		if (isDue) await this.save({ ...this.record, position });
	}

	private async save(record: ConsumerRecord): Promise<void> {
		const seenAt = isoInstant(this.deps.clock.now());
		this.record = await this.deps.store.transact(async (tx) => {
			// Two of one name overlap while a trigger is replaced: the slower never moves the cursor back.
			const stored = await tx.consumers.get(record.name);
			const position = Math.max(record.position, stored?.position ?? 0);
			const next = { ...record, position, seenAt };
			await tx.consumers.put(next);
			return next;
		});
	}
}
