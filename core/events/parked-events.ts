import type { OutboxEvent, ParkedEvent } from '../model/record/event';
import type { ReadTransaction } from '../store/store';

/** limit for consumers that set none */
const keptParked = 100;
const longestReason = 300;

/** Reason as it is stored. */
export const shortReason = (reason: string): string => reason.slice(0, longestReason);

type Parked = readonly ParkedEvent[];

/** Adds events as the newest ones; beyond the limit the oldest are dropped. */
export function withParked(
	parked: Parked,
	sequences: readonly number[],
	{ reason, parkedAt }: Pick<ParkedEvent, 'reason' | 'parkedAt'>,
	limit = keptParked,
): ParkedEvent[] {
	const added = sequences.map((sequence) => ({
		sequence,
		reason: shortReason(reason),
		parkedAt,
	}));
	return [...parked, ...added].slice(-limit);
}

export function withoutParked(parked: Parked, sequence: number): ParkedEvent[] {
	return parked.filter((one) => one.sequence !== sequence);
}

/** Updates an event in place with its newest reason; does not restore a discarded one. */
export function parkAgain(parked: Parked, event: ParkedEvent): ParkedEvent[] {
	const reason = shortReason(event.reason);
	return parked.map((one) => (one.sequence === event.sequence ? { ...event, reason } : one));
}

export async function eventOf(
	tx: Pick<ReadTransaction, 'outbox'>,
	sequence: number,
): Promise<OutboxEvent | undefined> {
	const [event] = await tx.outbox.readAfter(sequence - 1, 1);
	return event?.sequence === sequence ? event : undefined;
}

/** rows read at once */
const longestSpan = 200;

/** Events by ascending sequence numbers; pruned ones are left out. */
export async function eventsOf(
	tx: Pick<ReadTransaction, 'outbox'>,
	sequences: readonly number[],
): Promise<OutboxEvent[]> {
	const found: OutboxEvent[] = [];
	let left = sequences;
	while (left.length > 0) {
		const [first = 0] = left;
		const last = left.at(-1) ?? first;
		const rows = await tx.outbox.readAfter(first - 1, Math.min(longestSpan, last - first + 1));
		found.push(...rows.filter(({ sequence }) => left.includes(sequence)));
		const readUpTo = Math.max(first, rows.at(-1)?.sequence ?? last);
		left = left.filter((sequence) => sequence > readUpTo);
	}
	return found;
}
