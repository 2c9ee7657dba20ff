import type { AttributeRecord } from '../../model/record/attribute';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { ReadTransaction } from '../../store/store';
import type { RelationshipHoldings } from '../relationship-holdings';

/** Attributes that were shared with or by the peer (docs/protocol/consumption.md 8.14). */
export function attributeHoldings(ownAddress: string): RelationshipHoldings {
	return {
		release: async (tx, { peer }) => {
			for (const { id } of await sharedWith(tx, peer)) {
				await tx.attributes.delete(id);
				await tx.outbox.erase(id);
			}
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
