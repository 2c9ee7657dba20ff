import type { AttributeRecord } from '../../model/record/attribute';
import type { LocalDeletionDto } from '../../model/record/local-attribute';
import type { WriteTransaction } from '../../store/store';
import { deleteAttribute } from '../attribute/attribute-deletion';
import { attributeErrors } from '../attribute/attribute-errors';
import { idAtPeer } from '../attribute/attribute-ids';
import type { AttributeWriter } from '../attribute/attribute-writer';
import { predecessorsOf } from '../attribute/succession/attribute-versions';
import { currentRelationships } from '../current-relationship';
import { notifiedGeneration } from '../peer-version';
import {
	canBeTold,
	type AttributeExchange,
	type Telling,
} from '../local-notification/attribute-exchange';
import { deletionItem, type DeletionItemKind } from '../local-notification/sent-notification-items';
import { kindOf, shownIdOf } from './local-attribute-kinds';
import { matching } from '../query/conditions';

/**
 * Deletes an attribute with its earlier versions and the details of their sharings, and prepares a
 * notification for each peer that has one of them (docs/protocol/connector-7.md 4.3,
 * docs/protocol/generation-7.md 9): first its own peer, then those that have this version, then
 * those that have an earlier one only.
 *
 * @throws `error.consumption.attributes.successorDoesNotExist`,
 * `error.runtime.attributes.cannotDeleteSharedAttributeWhileRelationshipIsPending`
 */
export async function deleteLocalAttribute(
	tx: WriteTransaction,
	record: AttributeRecord,
	writer: AttributeWriter,
	exchange: Pick<AttributeExchange, 'tell'>,
): Promise<Telling<LocalDeletionDto>> {
	const { ownAddress } = writer;
	const versions = [record, ...(await predecessorsOf(tx, record))];
	const copies = await copiesOf(tx, versions);
	await removeCopies(tx, copies);
	await deleteAttribute(tx, record, writer);
	const holders = [...(record.shareInfo === undefined ? [] : [record]), ...newestAtPeers(copies)];
	const relationships = await currentRelationships(tx, holders.map(peerOf));
	const statuses = holders.map((one) => relationships.get(peerOf(one))?.record.status);
	if (statuses.includes('Pending')) throw whilePending(shownIdOf(record, ownAddress));
	const told = [];
	for (const holder of holders) {
		const relationship = relationships.get(peerOf(holder))?.record;
		if (!canBeTold(relationship)) continue;
		const generation = notifiedGeneration(relationship, writer);
		const item = deletionItem(holder, itemKind(holder, ownAddress), { generation, ownAddress });
		told.push(await exchange.tell(tx, writer, peerOf(holder), item));
	}
	return {
		result: { notificationIds: told.map(({ notificationId }) => notificationId) },
		messages: told.map(({ message }) => message),
	};
}

function whilePending(attributeId: string): Error {
	return attributeErrors.create('pendingRelationship', {
		message: `The shared Attribute '${attributeId}' cannot be deleted while the Relationship to a peer is in status 'Pending'. If you want to delete it now, you'll have to accept, reject or revoke the pending Relationship.`,
		facts: { attributeId },
	});
}

const peerOf = ({ shareInfo }: AttributeRecord): string => shareInfo?.peer ?? '';

/** Kind of the item for the peer of this record, which may be a copy. */
function itemKind(record: AttributeRecord, ownAddress: string): DeletionItemKind {
	if (record.content.owner === ownAddress) return 'ownShared';
	const isForwardedByUs = record.shareInfo?.sourceAttribute !== undefined;
	const isThirdParty = kindOf(record, ownAddress) === 'ThirdPartyRelationshipAttribute';
	return isForwardedByUs || isThirdParty ? 'thirdParty' : 'peerShared';
}

/** Copies of these versions, in the order of the versions. */
async function copiesOf(
	tx: WriteTransaction,
	versions: readonly AttributeRecord[],
): Promise<AttributeRecord[]> {
	const ids = versions.map(({ id }) => id);
	const entries = await tx.attributes.list({ where: matching({ sourceAttribute: ids }) });
	const bySource = Map.groupBy(entries, ({ record }) => record.shareInfo?.sourceAttribute);
	return ids.flatMap((id) => (bySource.get(id) ?? []).map((entry) => entry.record));
}

/**
 * Of each peer the copy of the newest version that it has not deleted. A wallet of version 6 that
 * got an attribute again while it was about to delete it has two copies with an id each.
 */
function newestAtPeers(copies: readonly AttributeRecord[]): AttributeRecord[] {
	const held = copies.filter(
		({ deletionInfo }) => deletionInfo?.deletionStatus !== 'DeletedByPeer',
	);
	const ids = new Set(held.map(({ id }) => id));
	const newest = new Map<string, AttributeRecord>();
	for (const copy of held) {
		if (copy.succeededBy !== undefined && ids.has(copy.succeededBy)) continue;
		const place = `${peerOf(copy)} ${idAtPeer(copy)}`;
		if (!newest.has(place)) newest.set(place, copy);
	}
	return [...newest.values()];
}

/** Removes copies without an event; later versions of them lose their link. */
async function removeCopies(
	tx: WriteTransaction,
	copies: readonly AttributeRecord[],
): Promise<void> {
	const removed = new Set(copies.map(({ id }) => id));
	const later = copies.flatMap(({ succeededBy }) => succeededBy ?? []);
	for (const { record } of await tx.attributes.getMany(later.filter((id) => !removed.has(id)))) {
		const { succeeds: _removed, ...rest } = record;
		await tx.attributes.update(rest);
	}
	for (const id of removed) {
		await tx.attributes.delete(id);
		await tx.outbox.erase(id);
	}
}
