import type { GatewayError } from '../../base/errors';
import type { RelationshipRecord } from '../../model/record/relationship';
import { requestErrors } from './request-errors';

export function peerDeletionProblem(
	relationship: RelationshipRecord | undefined,
): GatewayError | undefined {
	const status = relationship?.peerDeletionInfo?.deletionStatus;
	if (status === undefined) return undefined;
	return requestErrors.create(status === 'ToBeDeleted' ? 'peerIsInDeletion' : 'peerIsDeleted', {
		message: 'The peer is deleting or has deleted its identity.',
	});
}
