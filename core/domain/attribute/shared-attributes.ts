import { newId } from '../../model/ids';
import type { Attribute } from '../../model/content/attributes';
import type { AttributeRecord, ShareInfo, StoredShareInfo } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
import { publishCreated, publishSourceOf } from './attribute-events';
import { idAtPeer, idsFor, withIdAtPeer } from './attribute-ids';
import type { AttributeWriter } from './attribute-writer';

/*
 * Attributes that two identities hold under one id, stored within the caller's transaction. The
 * identity that accepts or answers a request chooses the id. An attribute whose id is malformed, or
 * which the peer uses for another attribute, is not stored.
 */

const forwardingChanged = 'consumption.attributeForwardingDetailsChanged';

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
 * @returns undefined when the id is malformed or the peer's for another attribute
 */
export async function storeShared(
	tx: WriteTransaction,
	{ id, content }: { readonly id?: string | undefined; readonly content: Attribute },
	sharing: Sharing,
	writer: AttributeWriter,
): Promise<AttributeRecord | undefined> {
	const record = await insert(tx, { id, content, shareInfo: shareInfoOf(sharing) }, writer);
	if (record !== undefined) await publishCreated(tx, record, writer);
	return record;
}

/**
 * Stores this account's side of a sharing: a copy of a repository attribute, or of a relationship
 * attribute from another relationship, with the current content of its source and a link to it.
 * Publishes an event of version 7 only (docs/protocol/consumption.md 6.11).
 *
 * @param copy.id chosen by the peer; absent when this account chooses it
 * @returns undefined when the id is malformed or the peer's for another attribute
 */
export async function storeSharedCopy(
	tx: WriteTransaction,
	{ id, source }: { readonly id?: string | undefined; readonly source: AttributeRecord },
	sharing: Omit<Sharing, 'thirdPartyAddress'>,
	writer: AttributeWriter,
): Promise<AttributeRecord | undefined> {
	const shareInfo = copyInfoOf(source, sharing, writer);
	const record = await insert(tx, { id, content: source.content, shareInfo }, writer);
	if (record === undefined) return undefined;
	await publishSourceOf(tx, forwardingChanged, record, writer.now, source);
	return record;
}

/** Lifts the mark that one side is about to delete the attribute: it was shared again. */
export async function shareAgain(
	tx: WriteTransaction,
	record: AttributeRecord,
	{ now }: AttributeWriter,
): Promise<AttributeRecord> {
	if (!aboutToBeDeleted(record)) return record;
	const { deletionInfo: _lifted, ...shared } = record;
	await tx.attributes.update(shared);
	await publishSourceOf(tx, forwardingChanged, shared, now);
	return shared;
}

/** Checks whether one side has agreed to delete the attribute, and has not done so yet. */
function aboutToBeDeleted({ deletionInfo }: AttributeRecord): boolean {
	return ['ToBeDeleted', 'ToBeDeletedByPeer'].includes(deletionInfo?.deletionStatus ?? '');
}

/** Builds the sharing information of a copy whose id this account chooses. */
export function copyInfoOf(
	source: AttributeRecord,
	sharing: Omit<Sharing, 'thirdPartyAddress'>,
	{ hasOneId }: Pick<AttributeWriter, 'hasOneId'>,
): StoredShareInfo {
	return {
		...shareInfoOf({ ...sharing, thirdPartyAddress: source.shareInfo?.peer }),
		sourceAttribute: source.id,
		...(hasOneId ? { sharedId: idAtPeer(source) } : {}),
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

/** Parts of a record; its id is chosen by the peer, or absent. */
interface NewRecord {
	readonly id: string | undefined;
	readonly content: Attribute;
	readonly shareInfo: StoredShareInfo;
}

async function insert(
	tx: WriteTransaction,
	{ id: idThere, content, shareInfo }: NewRecord,
	{ random, now }: AttributeWriter,
): Promise<AttributeRecord | undefined> {
	const ids =
		idThere === undefined
			? { id: newId('attribute', random) }
			: await idsFor(tx, shareInfo.peer, idThere, random);
	if (ids === undefined) return undefined;
	const chosen = idThere === undefined ? shareInfo : withIdAtPeer(shareInfo, ids);
	const record = { id: ids.id, createdAt: now, content, shareInfo: chosen };
	return (await tx.attributes.insertIfNew(record, undefined)) ? record : undefined;
}
