import type { ConsumerRecord } from '../model/record/event';
import type { ConsumerStatusDto } from '../model/record/sync';
import type { ReadTransaction } from '../store/store';
import type { ConsumerProgress } from './consumer-cursor';

/** Consumer that runs in this process. */
export interface RunningConsumer {
	readonly progress: ConsumerProgress;
}

/** Describes what waits for each consumer, with one read for each that is behind. */
export async function statusOfConsumers(
	tx: Pick<ReadTransaction, 'consumers' | 'outbox'>,
	running: ReadonlyMap<string, RunningConsumer>,
): Promise<ConsumerStatusDto[]> {
	const consumers = await tx.consumers.list();
	if (consumers.length === 0) return [];
	const last = await tx.outbox.lastSequence();
	const described: ConsumerStatusDto[] = [];
	for (const record of consumers) {
		const progress = running.get(record.name)?.progress;
		const { readUpTo, unsettled, oldest } = progress ?? storedProgress(record);
		const unread = Math.max(0, last - readUpTo);
		const first = oldest ?? (unread > 0 ? readUpTo + 1 : undefined);
		const [event] = first === undefined ? [] : await tx.outbox.readAfter(first - 1, 1);
		described.push({
			name: record.name,
			isRunning: progress !== undefined,
			position: record.position,
			waitingEvents: unsettled + unread,
			...(event === undefined ? {} : { waitingSince: event.createdAt }),
			parkedEvents: record.parked.length,
		});
	}
	return described;
}

/** Everything that is not settled counts as unread, less what was settled out of turn. */
function storedProgress({ position, settled = [] }: ConsumerRecord): ConsumerProgress {
	const settledLater = settled.reduce((sum, [from, to]) => sum + to - from + 1, 0);
	return { readUpTo: position, unsettled: -settledLater, oldest: undefined };
}
