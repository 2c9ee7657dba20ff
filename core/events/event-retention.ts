import { isoInstant, type Clock } from '../base/clock';
import type { ConsumerRecord } from '../model/record/event';
import type { Store } from '../store/store';

const dayMs = 24 * 3_600_000;
/** days with use of the account, but not of the consumer */
const forgottenAfterDays = 30;
const eventsPerSlice = 200;

/** Deletes old events that every consumer has passed and none has parked, one slice per call. */
export function eventRetention(
	store: Store,
	clock: Clock,
	retentionDays: number,
): () => Promise<boolean> {
	let after = 0;
	return async () => {
		const olderThan = isoInstant(clock.now() - retentionDays * dayMs);
		const slice = { after, limit: eventsPerSlice };
		const { position, hasMore } = await store.transact((tx) => tx.outbox.prune(olderThan, slice));
		// Events kept for parked deliveries are skipped for the rest of this pass.
		after = hasMore ? position : 0;
		return hasMore;
	};
}

/** Brings the index that erasing events uses up to date, one slice per call. */
export function eventIndexing(store: Store): () => Promise<boolean> {
	return async () => {
		const noted = await store.transact((tx) => tx.outbox.indexSubjects(eventsPerSlice));
		return noted === eventsPerSlice;
	};
}

/**
 * Deletes consumers without a run on 30 days of use of the account. Days are counted individually,
 * so that a clock that jumps forward deletes nothing.
 */
export function consumerRetention(store: Store, clock: Clock): () => Promise<boolean> {
	return async () => {
		const now = clock.now();
		const consumers = await store.read((tx) => tx.consumers.list());
		if (!consumers.some((consumer) => isAbsenceDue(consumer, now))) return false;
		await store.transact(async (tx) => {
			for (const consumer of await tx.consumers.list()) {
				if (!isAbsenceDue(consumer, now)) continue;
				const days = (consumer.absence?.days ?? 0) + 1;
				if (days >= forgottenAfterDays) await tx.consumers.delete(consumer.name);
				else await tx.consumers.put({ ...consumer, absence: { days, countedAt: isoInstant(now) } });
			}
		});
		return false;
	};
}

function isAbsenceDue({ seenAt, absence }: ConsumerRecord, now: number): boolean {
	// The difference is absolute, so that correcting a clock that was ahead does not stop the
	// counting.
	return Math.abs(now - Date.parse(absence?.countedAt ?? seenAt)) >= dayMs;
}
