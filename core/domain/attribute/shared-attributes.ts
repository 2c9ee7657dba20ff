import { isId, newId } from '../../model/ids';
import type { Attribute } from '../../model/content/attributes';
import type { AttributeRecord, ShareInfo } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
import { publishCreated } from './attribute-events';
import type { AttributeWriter } from './attribute-writer';

/*
 * Attributes that two identities hold under one id, stored within the caller's transaction. The
 * identity that accepts or answers a request chooses the id. An attribute whose id is malformed or
 * already in use is not stored, so that a peer cannot replace other data by choosing its id.
 */

/** Peer and origin of a sharing: exactly one of the two references is given. */
export type Sharing = Pick<
	ShareInfo,
	'peer' | 'requestReference' | 'notificationReference' | 'thirdPartyAddress'
>;

/**
 * Stores an attribute that is not a copy of another local one: an attribute shared by a peer or, on
 * both sides, a relationship attribute of either side. Publishes an event.
 *
 * @param attribute.id chosen by the peer; absent when this account chooses it
 * @param attribute.content a parsed attribute whose owner the caller has checked
 * @returns undefined when the id is malformed or already in use
 */
export async function storeShared(
	tx: WriteTransaction,
	{ id, content }: { readonly id?: string | undefined; readonly content: Attribute },
	sharing: Sharing,
	writer: AttributeWriter,
): Promise<AttributeRecord | undefined> {
	const record = recordOf(id, content, shareInfoOf(sharing), writer);
	if (!(await insert(tx, record))) return undefined;
	await publishCreated(tx, record, writer);
	return record;
}

/**
 * Stores this account's side of a sharing: a copy of a repository attribute, or of a relationship
 * attribute from another relationship, with the current content of its source and a link to it.
 * Publishes no event (docs/protocol/consumption.md 6.11).
 *
 * @param copy.id chosen by the peer; absent when this account chooses it
 * @returns undefined when the id is malformed or already in use
 */
export async function storeSharedCopy(
	tx: WriteTransaction,
	{ id, source }: { readonly id?: string | undefined; readonly source: AttributeRecord },
	sharing: Omit<Sharing, 'thirdPartyAddress'>,
	writer: AttributeWriter,
): Promise<AttributeRecord | undefined> {
	const record = recordOf(id, source.content, copyInfoOf(source, sharing), writer);
	return (await insert(tx, record)) ? record : undefined;
}

/** Builds the sharing information of a copy. */
export function copyInfoOf(
	source: AttributeRecord,
	sharing: Omit<Sharing, 'thirdPartyAddress'>,
): ShareInfo {
	return {
		...shareInfoOf({ ...sharing, thirdPartyAddress: source.shareInfo?.peer }),
		sourceAttribute: source.id,
	};
}

export function shareInfoOf(sharing: Sharing): ShareInfo {
	const { peer, requestReference, notificationReference, thirdPartyAddress } = sharing;
	return {
		peer,
		...(requestReference === undefined ? {} : { requestReference }),
		...(notificationReference === undefined ? {} : { notificationReference }),
		...(thirdPartyAddress === undefined ? {} : { thirdPartyAddress }),
	};
}

function recordOf(
	id: string | undefined,
	content: Attribute,
	shareInfo: ShareInfo,
	{ random, now }: AttributeWriter,
): AttributeRecord {
	return { id: id ?? newId('attribute', random), createdAt: now, content, shareInfo };
}

async function insert(tx: WriteTransaction, record: AttributeRecord): Promise<boolean> {
	return isId('attribute', record.id) && (await tx.attributes.insertIfNew(record, undefined));
}
