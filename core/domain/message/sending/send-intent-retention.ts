import { isoInstant, type Clock } from '../../../base/clock';
import type { Store, WriteTransaction } from '../../../store/store';
import type { FinishedSendState } from './send-states';

const dayMs = 24 * 3_600_000;
/** days beyond the retention of events; a consumer that stays away for longer is forgotten */
const repetitionDays = 30;
const intentsPerSlice = 100;

/**
 * Removes finished sends whose key can no longer be repeated (`expire` in send-transitions.ts), one slice per
 * call. The redelivery of an event repeats the sends of its workflow, so all sends after the oldest stored
 * event are kept.
 */
export function sendIntentRetention(
	store: Store,
	clock: Clock,
	state: FinishedSendState,
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
