import type {
	RelationshipRecord,
	RelationshipSecretsRecord,
} from '../../model/record/relationship';
import type { Entry, ReadTransaction } from '../../store/store';

export type RelationshipEntry = Entry<RelationshipRecord, RelationshipSecretsRecord>;

/** The newest relationship with the peer, whatever its status (docs/protocol/transport.md 6.2). */
export async function newestRelationship(
	tx: ReadTransaction,
	peer: string,
): Promise<RelationshipEntry | undefined> {
	return await tx.relationships.first({
		where: [{ field: 'peer', op: 'eq', value: peer }],
		orderBy: { field: 'inserted', direction: 'desc' },
	});
}

/** The same for many peers at once. */
export async function relationshipsOf(
	tx: ReadTransaction,
	peers: readonly string[],
): Promise<Map<string, RelationshipEntry>> {
	const entries = await tx.relationships.list({
		where: [{ field: 'peer', op: 'in', value: peers }],
	});
	// In order of insertion: the newest of each peer wins.
	return new Map(entries.map((entry) => [entry.record.peer, entry]));
}
