import type { Cancellable } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import { currentRelationships } from '../current-relationship';
import type { RelationshipService } from './relationship-service';

/**
 * Asks the Backbone about peers whose identity is marked for deletion, because the event that
 * cancels the deletion may be lost (docs/protocol/transport.md 14). A peer without that mark costs
 * no call; without an answer, the mark stays.
 */
export async function reviewPlannedDeletions(
	relationships: RelationshipService,
	peers: readonly string[],
	options: Cancellable,
): Promise<void> {
	const { store, logger } = relationships.dependencies;
	if (peers.length === 0) return;
	const current = await store.read((tx) => currentRelationships(tx, peers), options);
	for (const { record } of current.values()) {
		const { id, peerDeletionInfo: mark } = record;
		if (mark?.deletionStatus !== 'ToBeDeleted') continue;
		try {
			if ((await relationships.isPeerToBeDeleted(id, options)) !== false) continue;
		} catch (error) {
			if (!isGatewayError(error)) throw error;
			logger.debug('a planned deletion could not be looked up', { code: error.code });
			continue;
		}
		await store.transact(async (tx) => {
			const stored = (await tx.relationships.get(id))?.record.peerDeletionInfo;
			// Another deletion was planned since the call, or a sync has removed the mark.
			if (stored?.deletionStatus !== 'ToBeDeleted') return;
			if (stored.deletionDate !== mark.deletionDate) return;
			await relationships.applyPeerDeletion(tx, id, undefined);
		}, options);
	}
}
