import { throwIfAborted, type Cancellable } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import type { RelationshipService } from './relationship-service';

/**
 * Asks the Backbone about those of the peers whose identity is to be deleted as far as we know: the event
 * that says otherwise may be lost (docs/protocol/transport.md 14). A peer without that mark costs nothing;
 * without an answer the mark stays.
 */
export async function reviewPlannedDeletions(
	relationships: RelationshipService,
	peers: readonly string[],
	options: Cancellable,
): Promise<void> {
	const { store, logger } = relationships.context;
	if (peers.length === 0) return;
	const where = [{ field: 'peer', op: 'in', value: peers } as const];
	const entries = await store.read((tx) => tx.relationships.list({ where }), options);
	// In order of insertion: the newest of each peer counts.
	const newest = new Map(entries.map(({ record }) => [record.peer, record]));
	for (const record of newest.values()) {
		const { id, peerDeletionInfo: mark } = record;
		if (mark?.deletionStatus !== 'ToBeDeleted') continue;
		try {
			if ((await relationships.isPeerToBeDeleted(id, options)) !== false) continue;
		} catch (error) {
			throwIfAborted(options);
			if (!isGatewayError(error)) throw error;
			logger.debug('a planned deletion could not be looked up', { code: error.code });
			continue;
		}
		await store.transact(async (tx) => {
			const current = (await tx.relationships.get(id))?.record.peerDeletionInfo;
			// Planned anew since the Backbone was asked, or cleared by a sync.
			if (current?.deletionStatus !== 'ToBeDeleted') return;
			if (current.deletionDate !== mark.deletionDate) return;
			await relationships.applyPeerDeletion(tx, id, undefined);
		}, options);
	}
}
