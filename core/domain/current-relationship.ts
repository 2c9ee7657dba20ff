import type { RelationshipRecord, RelationshipSecretsRecord } from '../model/record/relationship';
import type { Condition, Entry, ReadTransaction, RelationshipField } from '../store/store';

export type RelationshipEntry = Entry<RelationshipRecord, RelationshipSecretsRecord>;

/**
 * Statuses after which a new relationship with the peer is possible (docs/protocol/transport.md
 * 6.1).
 */
const endedStatuses = ['Rejected', 'Revoked'];

/** Statuses of a relationship whose attributes may be shared with third parties. */
const establishedStatuses = ['Active', 'Terminated', 'DeletionProposed'];

const isOpen = { field: 'status', op: 'notIn', value: endedStatuses } as const;
const ofPeer = (peer: string) => ({ field: 'peer', op: 'eq', value: peer }) as const;
/**
 * Order by the Backbone's creation time: the account may receive an older relationship after the
 * current one.
 */
const newestFirst = { field: 'createdAt', direction: 'desc' } as const;

/**
 * Returns the current relationship with the peer, for callers that know only the peer's address:
 * the newest that has not ended, or else the newest of all.
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

/**
 * Returns the current relationships with several peers; peers without any relationship are left
 * out.
 */
export async function currentRelationships(
	tx: ReadTransaction,
	peers: readonly string[],
): Promise<Map<string, RelationshipEntry>> {
	const open = await newestRelationships(tx, peers, [isOpen]);
	const others = peers.filter((peer) => !open.has(peer));
	if (others.length === 0) return open;
	return new Map([...open, ...(await newestRelationships(tx, others, []))]);
}

async function newestRelationships(
	tx: ReadTransaction,
	peers: readonly string[],
	where: ReadonlyArray<Condition<RelationshipField>>,
): Promise<Map<string, RelationshipEntry>> {
	const entries = await tx.relationships.list({
		where: [{ field: 'peer', op: 'in', value: peers }, ...where],
		orderBy: { field: 'createdAt', direction: 'asc' },
	});
	// Entries are in ascending order, so the newest of each peer replaces the others.
	return new Map(entries.map((entry) => [entry.record.peer, entry]));
}

/** Returns all other relationships with the peer, newest first; callers try their keys as well. */
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

/** Checks whether the peer has a relationship whose attributes may be shared with third parties. */
export async function hasEstablishedRelationship(
	tx: ReadTransaction,
	peer: string,
): Promise<boolean> {
	const isEstablished = { field: 'status', op: 'in', value: establishedStatuses } as const;
	return (await tx.relationships.first({ where: [ofPeer(peer), isEstablished] })) !== undefined;
}
