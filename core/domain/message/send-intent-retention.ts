import { isoInstant, type Clock } from '../../base/clock';
import type { SendIntentRecord } from '../../model/record/message';
import type { Store, WriteTransaction } from '../../store/store';

const dayMs = 24 * 3_600_000;
/** beyond the retention of events: as long as a consumer may stay away before it is forgotten */
const repetitionDays = 30;
const intentsPerSlice = 100;

/**
 * Removes finished sends whose key nothing repeats any more, one slice per call. An event that is
 * delivered again repeats the sends of its workflow: while it is stored, all later sends are kept.
 */
export function sendIntentRetention(
	store: Store,
	clock: Clock,
	state: Exclude<SendIntentRecord['state'], 'prepared'>,
	eventRetentionDays: number,
): () => Promise<boolean> {
	return async () =>
		await store.transact(async (tx) => {
			const keptMs = (eventRetentionDays + repetitionDays) * dayMs;
			const olderThan = await untilOldestEvent(tx, isoInstant(clock.now() - keptMs));
			const old = await tx.sendIntents.list({
				where: [
					{ field: 'state', op: 'eq', value: state },
					{ field: 'createdAt', op: 'lt', value: olderThan },
				],
				orderBy: { field: 'createdAt', direction: 'asc' },
				limit: intentsPerSlice,
			});
			for (const { record } of old) await tx.sendIntents.delete(record.id);
			return old.length === intentsPerSlice;
		});
}

async function untilOldestEvent(tx: WriteTransaction, instant: string): Promise<string> {
	const [oldest] = await tx.outbox.readAfter(0, 1);
	return oldest !== undefined && oldest.createdAt < instant ? oldest.createdAt : instant;
}
