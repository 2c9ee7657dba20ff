import type { RelationshipRecord, RelationshipSecretsRecord } from '../model/record/relationship';
import type { Entry, ReadTransaction } from '../store/store';

export type RelationshipEntry = Entry<RelationshipRecord, RelationshipSecretsRecord>;

/** Statuses that leave room for another relationship with the peer (docs/protocol/transport.md 6.1). */
const endedStatuses = ['Rejected', 'Revoked'];

const isOpen = { field: 'status', op: 'notIn', value: endedStatuses } as const;
const ofPeer = (peer: string) => ({ field: 'peer', op: 'eq', value: peer }) as const;
/** The Backbone's time: an account may learn of an earlier relationship after the one in use. */
const newestFirst = { field: 'createdAt', direction: 'desc' } as const;

/**
 * The relationship with the peer that counts for everything that names the peer only: the newest that
 * has not ended, else the newest.
 */
export async function currentRelationship(
	tx: ReadTransaction,
	peer: string,
): Promise<RelationshipEntry | undefined> {
	const open = await tx.relationships.first({
		where: [ofPeer(peer), isOpen],
		orderBy: newestFirst,
	});
	return open ?? (await tx.relationships.first({ where: [ofPeer(peer)], orderBy: newestFirst }));
}

/** The same for many peers; those without any relationship are left out. */
export async function currentRelationships(
	tx: ReadTransaction,
	peers: readonly string[],
): Promise<Map<string, RelationshipEntry>> {
	const open = await tx.relationships.list({
		where: [{ field: 'peer', op: 'in', value: peers }, isOpen],
		orderBy: { field: 'createdAt', direction: 'asc' },
	});
	// The newest of each peer is the last one set.
	const current = new Map(open.map((entry) => [entry.record.peer, entry]));
	for (const peer of peers) {
		if (current.has(peer)) continue;
		const entry = await currentRelationship(tx, peer);
		if (entry !== undefined) current.set(peer, entry);
	}
	return current;
}

/** Every relationship with the peer except the current one, newest first: other keys to try. */
export async function otherRelationships(
	tx: ReadTransaction,
	peer: string,
	currentId: string,
): Promise<RelationshipEntry[]> {
	const entries = await tx.relationships.list({
		where: [ofPeer(peer)],
		orderBy: newestFirst,
	});
	return entries.filter(({ record }) => record.id !== currentId);
}
