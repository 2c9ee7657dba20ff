import { createHash } from 'node:crypto';
import { isoInstant } from '../base/clock';
import type { InboxEvent } from '../model/record/sync';
import type { ReadTransaction, WriteTransaction } from '../store/store';

/** time for which handled external events, and with them these rows, are kept */
export const handledEventsMs = 7 * 24 * 3_600_000;

/**
 * run id that separates these inbox rows from events; handled rows are deleted after a week
 * (docs/adr/0012)
 */
const runId = 'left';

/**
 * Hashes the peer's address, so that a decomposed relationship can be recognised without naming the
 * peer (docs/protocol/transport.md 6.4).
 */
export function hashPeerAddress(address: string): string {
	return createHash('sha256').update(address).digest('base64url');
}

/**
 * Records the decomposition of a relationship for a week: the Backbone may still deliver message
 * events that it queued before.
 *
 * @param leftAt time of the decomposition by the Backbone's clock, for comparison with the times of
 * messages; `now` is the local time
 */
export async function rememberLeftPeer(
	tx: WriteTransaction,
	address: string,
	leftAt: string,
	now: string,
): Promise<void> {
	const row = { id: idOf(address), runId, type: 'PeerLeft', createdAt: now, payload: { leftAt } };
	await keepForAWeek(tx, row);
}

/** Keeps a row among the handled events of the inbox, which are deleted after a week. */
export async function keepForAWeek(
	tx: WriteTransaction,
	kept: Pick<InboxEvent, 'id' | 'runId' | 'type' | 'createdAt' | 'payload'>,
): Promise<void> {
	const row = { ...kept, index: -1, state: 'done' as const, attempts: 0 };
	if (!(await tx.inbox.insertIfNew(row, undefined))) await tx.inbox.update(row);
}

/**
 * Returns the time of the decomposition by the Backbone's clock; undefined if there was none, or if
 * it is more than about a week ago.
 */
export async function leftPeerAt(
	tx: ReadTransaction,
	address: string,
): Promise<string | undefined> {
	return (await leftPeer(tx, address))?.leftAt;
}

/**
 * Returns the record of a decomposition: its time by the Backbone's clock, and the local time until
 * which the record is kept at least; undefined as for `leftPeerAt`.
 */
export async function leftPeer(
	tx: ReadTransaction,
	address: string,
): Promise<{ readonly leftAt: string; readonly until: string } | undefined> {
	const row = (await tx.inbox.get(idOf(address)))?.record;
	const leftAt = row?.payload['leftAt'];
	if (row === undefined || typeof leftAt !== 'string') return undefined;
	return { leftAt, until: isoInstant(Date.parse(row.createdAt) + handledEventsMs) };
}

export async function hasLeftPeers(tx: ReadTransaction): Promise<boolean> {
	const where = [{ field: 'runId', op: 'eq', value: runId } as const];
	return (await tx.inbox.first({ where })) !== undefined;
}

function idOf(address: string): string {
	return `left:${hashPeerAddress(address)}`;
}
