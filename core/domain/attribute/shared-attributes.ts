import { isId } from '../../model/ids';
import type { JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
import { textMember } from '../../model/content/members';
import { appendAttributeEvent } from './attribute-dto';

/*
 * Copies of attributes that two identities hold under one id, stored inside the transaction of the
 * caller. All answer whether the copy was stored: an id that is taken or malformed stores nothing, so
 * that a peer cannot replace what we have by choosing the id of something else.
 */

export interface Sharing {
	readonly peer: string;
	/** REQ id of the request that brought the attribute */
	readonly requestReference: string;
	/** the peer of the other relationship that a relationship attribute comes from */
	readonly thirdPartyAddress?: string | undefined;
	/** ISO text */
	readonly now: string;
}

/** An attribute that the peer shared, under the id that the peer chose. */
export async function storePeerShared(
	tx: WriteTransaction,
	copy: { readonly id: string; readonly content: JsonObject },
	sharing: Sharing,
): Promise<boolean> {
	const record: AttributeRecord = {
		id: copy.id,
		createdAt: sharing.now,
		content: copy.content,
		shareInfo: shareInfoOf(sharing),
	};
	if (!(await insert(tx, record))) return false;
	await appendAttributeEvent(tx, 'consumption.attributeCreated', record, sharing.now);
	return true;
}

/**
 * Our side of a sharing: a copy with the current content of the source, tied to it. No event tells of
 * it (docs/protocol/consumption.md 6.11).
 */
export async function storeOwnShared(
	tx: WriteTransaction,
	copy: { readonly id: string; readonly source: AttributeRecord },
	sharing: Sharing,
): Promise<boolean> {
	const { source } = copy;
	const thirdPartyAddress = source.shareInfo?.peer;
	return await insert(tx, {
		id: copy.id,
		createdAt: sharing.now,
		content: source.content,
		shareInfo: {
			...shareInfoOf({ ...sharing, thirdPartyAddress }),
			sourceAttribute: source.id,
		},
	});
}

/**
 * The next version of an attribute that the peer has shared before (docs/protocol/consumption.md 6.14,
 * 8.6). As with official software no event tells of it.
 */
export async function storePeerSuccessor(
	tx: WriteTransaction,
	copy: { readonly id: string; readonly predecessorId: string; readonly content: JsonObject },
	sharing: Sharing,
): Promise<boolean> {
	const predecessor = (await tx.attributes.get(copy.predecessorId))?.record;
	if (predecessor === undefined || !canSucceed(predecessor, copy.content, sharing)) return false;
	const { thirdPartyAddress } = predecessor.shareInfo ?? {};
	const isStored = await insert(tx, {
		id: copy.id,
		createdAt: sharing.now,
		content: copy.content,
		succeeds: predecessor.id,
		shareInfo: shareInfoOf({ ...sharing, thirdPartyAddress }),
	});
	if (isStored) await tx.attributes.update({ ...predecessor, succeededBy: copy.id });
	return isStored;
}

function canSucceed(
	predecessor: AttributeRecord,
	content: JsonObject,
	{ peer }: Pick<Sharing, 'peer'>,
): boolean {
	const before = predecessor.content;
	const valueType = (attribute: JsonObject): string =>
		textMember((attribute['value'] ?? {}) as JsonObject, '@type');
	return (
		predecessor.shareInfo?.peer === peer &&
		predecessor.shareInfo.sourceAttribute === undefined &&
		predecessor.succeededBy === undefined &&
		predecessor.deletionInfo === undefined &&
		before['@type'] === content['@type'] &&
		before['owner'] === content['owner'] &&
		before['key'] === content['key'] &&
		valueType(before) === valueType(content)
	);
}

function shareInfoOf(sharing: Sharing): NonNullable<AttributeRecord['shareInfo']> {
	const { peer, requestReference, thirdPartyAddress } = sharing;
	return {
		peer,
		requestReference,
		...(thirdPartyAddress === undefined ? {} : { thirdPartyAddress }),
	};
}

async function insert(tx: WriteTransaction, record: AttributeRecord): Promise<boolean> {
	return isId('attribute', record.id) && (await tx.attributes.insert(record, undefined));
}
