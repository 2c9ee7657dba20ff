import type { GatewayError } from '../../../base/errors';
import type { ReadTransaction } from '../../../store/store';
import { invalidItem } from './answers';
import type { CreatedKey } from './item-handler';
import { matching } from '../../query/conditions';

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
		where: matching({
			contentType: 'RelationshipAttribute',
			owner: wanted.owner,
			key: wanted.key,
			valueType: wanted.valueType,
			peer: wanted.peer,
		}),
	});
	return candidates.some(
		({ record }) =>
			record.shareInfo?.thirdPartyAddress === undefined &&
			!deletedStates.includes(record.deletionInfo?.deletionStatus ?? ''),
	);
}

/**
 * Error if a relationship attribute that an item for the peer would create exists already; an owner
 * that is not named is the peer.
 */
export async function checkKeyIsNew(
	tx: ReadTransaction,
	{ owner, ...created }: CreatedKey,
	peer: string | undefined,
): Promise<GatewayError | undefined> {
	if (peer === undefined) return undefined;
	const wanted = { ...created, owner: owner === '' ? peer : owner, peer };
	if (!(await sameKeyExists(tx, wanted))) return undefined;
	return invalidItem(
		`A relationship attribute with the key '${created.key}', this owner and value type exists already.`,
	);
}
