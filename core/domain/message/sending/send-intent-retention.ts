import { isoInstant, type Clock } from '../../../base/clock';
import type { SendIntentRecord } from '../../../model/record/message';
import type { Store, WriteTransaction } from '../../../store/store';
import type { FinishedSendState } from './send-states';
import { matching } from '../../query/conditions';

const dayMs = 24 * 3_600_000;
/** days beyond the retention of events; a consumer that stays away for longer is forgotten */
const repetitionDays = 30;
const intentsPerSlice = 100;

/**
 * Removes finished sends whose key can no longer be repeated (`expire` in send-transitions.ts), one
 * slice per call. The redelivery of an event repeats the sends of its workflow, so all sends after
 * the oldest stored event are kept.
 */
export function sendIntentRetention(
	store: Store,
	clock: Clock,
	state: FinishedSendState,
	eventRetentionDays: number,
): () => Promise<boolean> {
	let younger = 0;
	return async () => {
		const seen = await store.transact(async (tx) => {
			const keptMs = (eventRetentionDays + repetitionDays) * dayMs;
			const olderThan = await untilOldestEvent(tx, isoInstant(clock.now() - keptMs));
			const old = await tx.sendIntents.list({
				where: [...matching({ state }), { field: 'createdAt', op: 'lt', value: olderThan }],
				orderBy: { field: 'createdAt', direction: 'asc' },
				limit: intentsPerSlice,
				offset: younger,
			});
			let kept = 0;
			for (const { record } of old) {
				if (await isSentSince(tx, record, olderThan)) kept++;
				else await tx.sendIntents.delete(record.id);
			}
			return { all: old.length, kept };
		});
		const hasMore = seen.all === intentsPerSlice;
		younger = hasMore ? younger + seen.kept : 0;
		return hasMore;
	};
}

/**
 * True when the Backbone accepted the message later: the local clock was behind when the send was
 * prepared.
 */
async function isSentSince(
	tx: WriteTransaction,
	{ messageId }: SendIntentRecord,
	instant: string,
): Promise<boolean> {
	if (messageId === undefined) return false;
	const message = await tx.messages.get(messageId);
	return message !== undefined && message.record.createdAt >= instant;
}

async function untilOldestEvent(tx: WriteTransaction, instant: string): Promise<string> {
	const [oldest] = await tx.outbox.readAfter(0, 1);
	return oldest !== undefined && oldest.createdAt < instant ? oldest.createdAt : instant;
}
