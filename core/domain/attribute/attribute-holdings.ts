import type { AttributeRecord } from '../../model/record/attribute';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import { deleteAttribute } from './attribute-deletion';
import type { AttributeWriter } from './attribute-writer';
import type { RelationshipHoldings } from '../relationship-holdings';

/** Attributes that were shared with or by the peer, and what it waits for (docs/protocol/consumption.md 8.14). */
export function attributeHoldings(
	ownAddress: string,
	writer: () => AttributeWriter,
): RelationshipHoldings {
	return {
		ended: async (tx, { peer }) => {
			for (const { id } of await sharedWith(tx, peer)) {
				// Deleting a version deletes those before it.
				const record = (await tx.attributes.get(id))?.record;
				if (record !== undefined) await deleteAttribute(tx, record, writer());
			}
		},
		release: async (tx, { peer }) => {
			for (const { id } of await sharedWith(tx, peer)) {
				await tx.attributes.delete(id);
				await tx.outbox.erase(id);
			}
			await releaseListeners(tx, peer);
		},
		peerLeft: async (tx, relationship) => {
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
	const entries = await tx.attributeListeners.list({
		where: [{ field: 'peer', op: 'eq', value: peer }],
	});
	for (const { record } of entries) {
		await tx.attributeListeners.delete(record.id);
		await tx.outbox.erase(record.id);
	}
}

async function sharedWith(tx: ReadTransaction, peer: string): Promise<AttributeRecord[]> {
	const entries = await tx.attributes.list({
		where: [{ field: 'peer', op: 'eq', value: peer }],
	});
	return entries.map(({ record }) => record);
}

/** Undefined for attributes of third parties: who left is not their owner, and neither are we. */
function statusAfterLeaving(
	{ content }: AttributeRecord,
	{ peer }: RelationshipRecord,
	ownAddress: string,
): 'DeletedByPeer' | 'DeletedByOwner' | undefined {
	if (content['owner'] === ownAddress) return 'DeletedByPeer';
	return content['owner'] === peer ? 'DeletedByOwner' : undefined;
}
