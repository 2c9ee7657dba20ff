import { createHash } from 'node:crypto';
import type { ReadTransaction, WriteTransaction } from '../store/store';

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
	const row = {
		id: idOf(address),
		runId,
		type: 'PeerLeft',
		index: -1,
		createdAt: now,
		payload: { leftAt },
		state: 'done' as const,
		attempts: 0,
	};
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
	const leftAt = (await tx.inbox.get(idOf(address)))?.record.payload['leftAt'];
	return typeof leftAt === 'string' ? leftAt : undefined;
}

export async function hasLeftPeers(tx: ReadTransaction): Promise<boolean> {
	const where = [{ field: 'runId', op: 'eq', value: runId } as const];
	return (await tx.inbox.first({ where })) !== undefined;
}

function idOf(address: string): string {
	return `left:${hashPeerAddress(address)}`;
}
