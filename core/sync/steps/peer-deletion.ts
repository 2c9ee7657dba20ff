import type { Step } from './index';

/**
 * The peer announced, cancelled or completed the deletion of its identity (transport 14). The first two
 * may change places, so the Backbone is asked which of them still holds.
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
			// Overtaken: what came after it decides.
			if (holds) await relationships.applyPeerDeletion(tx, relationshipId, info);
			return { relationshipId };
		};
	};
}
