import { isoInstant, type Clock } from '../base/clock';
import type { ConsumerRecord, DeliveryAttempt } from '../model/record/event';
import type { Store, WriteTransaction } from '../store/store';
import { isSettled, withSettled } from './settled-ranges';
import type { UnsettledEvents } from './unsettled-events';

interface Change<Result> {
	/** sequence numbers of the events that this change settles */
	readonly settled?: readonly number[];
	readonly apply?: (stored: ConsumerRecord) => ConsumerRecord;
	/** reads in the same transaction */
	readonly read?: (tx: WriteTransaction) => Promise<Result>;
}

interface QueuedChange {
	readonly change: Change<unknown>;
	resolve(result: unknown): void;
	reject(error: unknown): void;
}

/** How far a consumer has come, in sequence numbers. */
export interface ConsumerProgress {
	readonly readUpTo: number;
	/** number of events up to there that are not settled */
	readonly unsettled: number;
	/** the first of them */
	readonly oldest: number | undefined;
}

/**
 * Stored progress of one consumer. Deliveries that end at the same time share a transaction. An
 * event counts as settled in memory only after the commit that says so.
 */
export class ConsumerCursor {
	private readonly queue: QueuedChange[] = [];

	private isWriting = false;

	/** sequence number up to which events were read */
	readUpTo: number;

	constructor(
		private readonly deps: { readonly store: Store; readonly clock: Clock },
		private current: ConsumerRecord,
		private readonly unsettled: UnsettledEvents,
	) {
		this.readUpTo = current.position;
	}

	/** Record as it was last read or written. */
	get record(): ConsumerRecord {
		return this.current;
	}

	/** Progress in memory, which is ahead of the stored one. */
	get progress(): ConsumerProgress {
		const [oldest] = this.unsettled.sequences;
		return { readUpTo: this.readUpTo, unsettled: this.unsettled.size, oldest };
	}

	/** Sequence number of the last event before the first unsettled one. */
	get settledUpTo(): number {
		const [first] = this.unsettled.sequences;
		return first === undefined ? this.readUpTo : first - 1;
	}

	/** Applies a change to the stored record, which other processes may have changed. */
	save<Result = void>(change: Change<Result>): Promise<Result> {
		const { promise, resolve, reject } = Promise.withResolvers<Result>();
		this.queue.push({ change, resolve, reject });
		void this.write();
		return promise;
	}

	private async write(): Promise<void> {
		if (this.isWriting) return;
		this.isWriting = true;
		try {
			while (this.queue.length > 0) await this.writeAll(this.queue.splice(0));
		} finally {
			this.isWriting = false;
		}
	}

	private async writeAll(queued: readonly QueuedChange[]): Promise<void> {
		try {
			const { record, results } = await this.deps.store.transact((tx) => this.commit(tx, queued));
			this.current = record;
			this.unsettled.settle(settledBy(queued));
			for (const [index, { resolve }] of queued.entries()) resolve(results[index]);
		} catch (error) {
			for (const { reject } of queued) reject(error);
		}
	}

	private async commit(
		tx: WriteTransaction,
		queued: readonly QueuedChange[],
	): Promise<{ readonly record: ConsumerRecord; readonly results: readonly unknown[] }> {
		const stored = (await tx.consumers.get(this.current.name)) ?? this.current;
		const changed = queued.reduce((record, { change }) => change.apply?.(record) ?? record, stored);
		const settled = new Set(settledBy(queued));
		const left = [...this.unsettled.sequences].filter((sequence) => !settled.has(sequence));
		const progress = withSettled(changed, this.readUpTo, left);
		const attempts = changed.attempts?.filter(({ sequence }) => !isSettled(progress, sequence));
		const record = await putPresent(tx, { ...changed, ...progress, attempts }, this.deps.clock);
		const results: unknown[] = [];
		for (const { change } of queued) results.push(await change.read?.(tx));
		return { record, results };
	}
}

/** Stores a delivery in progress, or the number of its next attempt. */
export function withAttempt(stored: ConsumerRecord, attempt: DeliveryAttempt): ConsumerRecord {
	const { attempts = [] } = stored;
	const others = attempts.filter(({ sequence }) => sequence !== attempt.sequence);
	return { ...stored, attempts: [...others, attempt] };
}

/** Stores a consumer that is in use now. */
export async function putPresent(
	tx: WriteTransaction,
	{ absence: _absence, ...record }: Omit<ConsumerRecord, 'seenAt'>,
	clock: Clock,
): Promise<ConsumerRecord> {
	const present = { ...record, seenAt: isoInstant(clock.now()) };
	await tx.consumers.put(present);
	return present;
}

function settledBy(queued: readonly QueuedChange[]): number[] {
	return queued.flatMap(({ change }) => change.settled ?? []);
}
