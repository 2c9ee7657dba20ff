import type { Step } from './step';

/**
 * Applies that a peer announced, cancelled or completed the deletion of its identity (transport
 * 14). Announcement and cancellation may arrive in the wrong order, so the Backbone is asked which
 * of them is current.
 */
export function peerDeletionStep(
	status: 'ToBeDeleted' | 'Deleted' | undefined,
): Step<'PeerToBeDeleted' | 'PeerDeletionCancelled' | 'PeerDeleted'> {
	return async ({ payload, services: { relationships } }, options) => {
		const { relationshipId } = payload;
		const isToBeDeleted =
			status === 'Deleted'
				? undefined
				: await relationships.isPeerToBeDeleted(relationshipId, options);
		const holds = isToBeDeleted === undefined || isToBeDeleted === (status === 'ToBeDeleted');
		return async (tx) => {
			const info =
				status === undefined || !('deletionDate' in payload)
					? undefined
					: { deletionStatus: status, deletionDate: payload.deletionDate };
			// An outdated event changes nothing: a later event decides.
			if (holds) await relationships.applyPeerDeletion(tx, relationshipId, info);
			return { relationshipId };
		};
	};
}
