import { createHash } from 'node:crypto';
import type { ReadTransaction, WriteTransaction } from '../store/store';

/** rows of the inbox that are no events; handled rows are removed after a week (docs/adr/0012) */
const runId = 'left';

/** Recognises a peer whom we have left without naming it (docs/protocol/transport.md 6.4). */
export function markOfPeer(address: string): string {
	return createHash('sha256').update(address).digest('base64url');
}

/**
 * Remembers for a week that a relationship with the peer was left: message events that the Backbone had
 * queued before come afterwards.
 *
 * @param leftAt by the Backbone's clock, which messages are compared with; `now` is ours
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
	if (!(await tx.inbox.insert(row, undefined))) await tx.inbox.update(row);
}

/** When the peer was left, by the Backbone's clock, if that is no longer ago than a week or so. */
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
	return `left:${markOfPeer(address)}`;
}
