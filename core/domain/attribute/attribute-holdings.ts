import type { AttributeRecord } from '../../model/record/attribute';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import type { Observer } from '../observers';
import { deleteAttribute } from './attribute-deletion';
import { publishSourceOf } from './attribute-events';
import type { AttributeWriter } from './attribute-writer';
import { matching } from '../query/conditions';

const forwardingChanged = 'consumption.attributeForwardingDetailsChanged';

/**
 * Observer of ended relationships: deletes or marks the attributes shared with or by the peer, and
 * removes the peer's attribute listeners (docs/protocol/consumption.md 8.14).
 */
export function attributeHoldings(
	ownAddress: string,
	writer: () => AttributeWriter,
): Observer<'relationshipEnded' | 'relationshipLeftByPeer' | 'relationshipDecomposed'> {
	return {
		relationshipEnded: async (tx, { peer }) => {
			for (const shared of await sharedWith(tx, peer)) {
				// Deleting a version also deletes its predecessors, so this record may be gone already.
				const record = (await tx.attributes.get(shared.id))?.record;
				if (record !== undefined) await deleteAttribute(tx, record, writer());
				await publishSourceOf(tx, forwardingChanged, shared, writer().now);
			}
		},
		relationshipDecomposed: async (tx, { peer }) => {
			for (const shared of await sharedWith(tx, peer)) {
				await tx.attributes.delete(shared.id);
				await tx.outbox.erase(shared.id);
				await publishSourceOf(tx, forwardingChanged, shared, writer().now);
			}
			await releaseListeners(tx, peer);
		},
		relationshipLeftByPeer: async (tx, relationship) => {
			const deletionDate = relationship.auditLog.at(-1)?.createdAt;
			if (deletionDate === undefined) return;
			for (const record of await sharedWith(tx, relationship.peer)) {
				const deletionStatus = statusAfterLeaving(record, relationship, ownAddress);
				if (deletionStatus === undefined) continue;
				if (record.deletionInfo?.deletionStatus === deletionStatus) continue;
				await tx.attributes.update({ ...record, deletionInfo: { deletionStatus, deletionDate } });
			}
		},
	};
}

async function releaseListeners(tx: WriteTransaction, peer: string): Promise<void> {
	const entries = await tx.attributeListeners.list({ where: matching({ peer }) });
	for (const { record } of entries) {
		await tx.attributeListeners.delete(record.id);
		await tx.outbox.erase(record.id);
	}
}

async function sharedWith(tx: ReadTransaction, peer: string): Promise<AttributeRecord[]> {
	const entries = await tx.attributes.list({ where: matching({ peer }) });
	return entries.map(({ record }) => record);
}

/**
 * Returns undefined for attributes of third parties, which neither the leaving peer nor this
 * account owns.
 */
function statusAfterLeaving(
	{ content }: AttributeRecord,
	{ peer }: RelationshipRecord,
	ownAddress: string,
): 'DeletedByPeer' | 'DeletedByOwner' | undefined {
	if (content.owner === ownAddress) return 'DeletedByPeer';
	return content.owner === peer ? 'DeletedByOwner' : undefined;
}
