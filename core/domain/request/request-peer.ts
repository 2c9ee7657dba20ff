import type { GatewayError } from '../../base/errors';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { ReadTransaction } from '../../store/store';
import { requestErrors } from './request-errors';

/** The newest relationship with the peer, whatever its status. */
export async function newestRelationship(
	tx: ReadTransaction,
	peer: string,
): Promise<RelationshipRecord | undefined> {
	const newest = await tx.relationships.first({
		where: [{ field: 'peer', op: 'eq', value: peer }],
		orderBy: { field: 'inserted', direction: 'desc' },
	});
	return newest?.record;
}

export function peerDeletionProblem(
	relationship: RelationshipRecord | undefined,
): GatewayError | undefined {
	const status = relationship?.peerDeletionInfo?.deletionStatus;
	if (status === undefined) return undefined;
	return requestErrors.create(status === 'ToBeDeleted' ? 'peerIsInDeletion' : 'peerIsDeleted', {
		message: 'The peer is deleting or has deleted its identity.',
	});
}
