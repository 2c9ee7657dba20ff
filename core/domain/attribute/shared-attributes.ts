import { isId, newId } from '../../model/ids';
import type { JsonObject } from '../../model/json';
import type { AttributeRecord, ShareInfo } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
import { publishCreated } from './attribute-events';
import type { AttributeWriter } from './attribute-writer';

/*
 * Attributes that two identities hold under one id, stored inside the transaction of the caller. Who
 * accepts or answers a request chooses the id; an id that is taken or malformed stores nothing, so
 * that a peer cannot replace what we have by choosing the id of something else.
 */

/** With whom, and what brought it: exactly one of the two references is given. */
export type Sharing = Pick<
	ShareInfo,
	'peer' | 'requestReference' | 'notificationReference' | 'thirdPartyAddress'
>;

/**
 * Stores an attribute that is no copy of another one here: what a peer has shared with us, or a
 * relationship attribute of either side, on both sides. An event tells of it.
 *
 * @param attribute.id chosen by the peer; absent when we choose it
 * @param attribute.content a parsed attribute whose owner was checked by the caller
 * @returns undefined when the id is taken or malformed
 */
export async function storeShared(
	tx: WriteTransaction,
	{ id, content }: { readonly id?: string | undefined; readonly content: JsonObject },
	sharing: Sharing,
	writer: AttributeWriter,
): Promise<AttributeRecord | undefined> {
	const record = recordOf(id, content, shareInfoOf(sharing), writer);
	if (!(await insert(tx, record))) return undefined;
	await publishCreated(tx, record, writer);
	return record;
}

/**
 * Stores our side of a sharing: a copy of a repository attribute, or of a relationship attribute of
 * another relationship, with the current content of its source and tied to it. No event tells of it
 * (docs/protocol/consumption.md 6.11).
 *
 * @param copy.id chosen by the peer; absent when we choose it
 * @returns undefined when the id is taken or malformed
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

/** What a copy of the source says about its sharing. */
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
	content: JsonObject,
	shareInfo: ShareInfo,
	{ random, now }: AttributeWriter,
): AttributeRecord {
	return { id: id ?? newId('attribute', random), createdAt: now, content, shareInfo };
}

async function insert(tx: WriteTransaction, record: AttributeRecord): Promise<boolean> {
	return isId('attribute', record.id) && (await tx.attributes.insert(record, undefined));
}
