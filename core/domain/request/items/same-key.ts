import type { ReadTransaction } from '../../../store/store';

/** states of deleted copies, whose key is free again */
const deletedStates = ['ToBeDeleted', 'ToBeDeletedByPeer', 'DeletedByPeer', 'DeletedByOwner'];

export interface AttributeKey {
	readonly owner: string;
	readonly key: string;
	readonly valueType: string;
	readonly peer: string;
}

/**
 * True when a relationship attribute with this key exists in the relationship, old versions
 * included (docs/protocol/consumption.md 6.5).
 */
export async function sameKeyExists(tx: ReadTransaction, wanted: AttributeKey): Promise<boolean> {
	const candidates = await tx.attributes.list({
		where: [
			{ field: 'contentType', op: 'eq', value: 'RelationshipAttribute' },
			{ field: 'owner', op: 'eq', value: wanted.owner },
			{ field: 'key', op: 'eq', value: wanted.key },
			{ field: 'valueType', op: 'eq', value: wanted.valueType },
			{ field: 'peer', op: 'eq', value: wanted.peer },
		],
	});
	return candidates.some(
		({ record }) =>
			record.shareInfo?.thirdPartyAddress === undefined &&
			!deletedStates.includes(record.deletionInfo?.deletionStatus ?? ''),
	);
}
