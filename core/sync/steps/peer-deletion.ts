import type { Step } from './index';

/** The peer announced, cancelled or completed the deletion of its identity (transport 14). */
export function peerDeletionStep(
	status: 'ToBeDeleted' | 'Deleted' | undefined,
): Step<'PeerToBeDeleted' | 'PeerDeletionCancelled' | 'PeerDeleted'> {
	return ({ payload, services }) =>
		Promise.resolve(async (tx) => {
			const info =
				status === undefined || !('deletionDate' in payload)
					? undefined
					: { deletionStatus: status, deletionDate: payload.deletionDate };
			await services.relationships.applyPeerDeletion(tx, payload.relationshipId, info);
			return { relationshipId: payload.relationshipId };
		});
}
