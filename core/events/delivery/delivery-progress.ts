import type { ConsumerRecord, OutboxEvent } from '../../model/record/event';
import type { ReadTransaction } from '../../store/store';
import type { EventFilter } from '../event-types';
import { selectEvents, type PurposesOfPeers } from '../purpose';
import { isSettled } from '../settled-ranges';

/** newest events that are searched for waiting ones */
const searchedRows = 200;

/** Consumer whose progress is looked at. */
export interface WatchedConsumer {
	readonly name: string;
	readonly filter: EventFilter;
}

/** How far a consumer has come. */
export interface DeliveryProgress {
	/** number of matching events that are not settled, of the newest ones */
	readonly waiting: number;
	/** true if older events are not settled, too */
	readonly hasOlder: boolean;
	/** record of the consumer; undefined if it has none */
	readonly record: ConsumerRecord | undefined;
}

/** Progress of consumers, in their order. The newest events are read once for all of them. */
export async function deliveryProgress(
	tx: ReadTransaction,
	consumers: readonly WatchedConsumer[],
	purposesOfPeers: PurposesOfPeers,
): Promise<DeliveryProgress[]> {
	if (consumers.length === 0) return [];
	const last = await tx.outbox.lastSequence();
	const after = Math.max(0, last - searchedRows);
	const events: OutboxEvent[] = await tx.outbox.readAfter(after, searchedRows);
	const found: DeliveryProgress[] = [];
	for (const { name, filter } of consumers) {
		const record = await tx.consumers.get(name);
		const open = events.filter(
			({ sequence }) => record !== undefined && !isSettled(record, sequence),
		);
		const waiting = await selectEvents(tx, open, filter, purposesOfPeers);
		const hasOlder = record !== undefined && record.position < after;
		found.push({ waiting: waiting.length, hasOlder, record });
	}
	return found;
}
