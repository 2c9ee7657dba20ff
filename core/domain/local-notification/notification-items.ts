import { objectMember, textMember } from '../../model/content/members';
import type { JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
import { publishAttribute, type AttributeEvent } from '../attribute/attribute-events';
import { isOwnShared, isPeerShared, isThirdParty, ownerOf } from '../attribute/attribute-kinds';
import type { AttributeWriter } from '../attribute/attribute-writer';
import { markDeletion } from '../attribute/deletion-info';
import { shareInfoOf } from '../attribute/shared-attributes';
import { succeed } from '../attribute/succession/succession';
import { localNotificationErrors } from './local-notification-errors';

/** Notification of a peer, whose items are applied one after the other. */
export interface ItemDependencies {
	readonly tx: WriteTransaction;
	readonly writer: AttributeWriter;
	/** sender of the notification */
	readonly peer: string;
	/** NOT id */
	readonly notificationId: string;
}

/** Checks and applies an item (docs/protocol/consumption.md 9.2). */
type ItemHandler = (item: JsonObject, context: ItemDependencies) => Promise<void>;

const ofThirdParty: readonly AttributeEvent[] = [
	'consumption.thirdPartyRelationshipAttributeDeletedByPeer',
	// name in older software
	'consumption.thirdPartyOwnedRelationshipAttributeDeletedByPeer',
];

const handlers: Readonly<Record<string, ItemHandler>> = {
	PeerSharedAttributeSucceededNotificationItem: attributeSucceeded,
	OwnSharedAttributeDeletedByOwnerNotificationItem: deletedByOwner,
	PeerSharedAttributeDeletedByPeerNotificationItem: deletedByPeer,
	ThirdPartyOwnedRelationshipAttributeDeletedByPeerNotificationItem: thirdPartyDeleted,
	/* Items of version 7, which distinguishes kinds of attributes differently (content.md 13.2). */
	PeerAttributeSucceededNotificationItem: attributeSucceeded,
	OwnAttributeDeletedByOwnerNotificationItem: deletedByOwner,
	PeerRelationshipAttributeDeletedByPeerNotificationItem: deletedByPeer,
	ForwardedAttributeDeletedByPeerNotificationItem: forwardedDeleted,
};

/** @throws `error.consumption.attributes.*` when the item does not fit the stored attributes */
export async function processItem(item: JsonObject, context: ItemDependencies): Promise<void> {
	const type = textMember(item, '@type');
	const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
	if (handler === undefined) {
		throw localNotificationErrors.create('unknownItem', {
			message: `'${type.slice(0, 100)}' is not a known notification item.`,
		});
	}
	await handler(item, context);
}

async function attributeSucceeded(
	item: JsonObject,
	{ tx, writer, peer, notificationId }: ItemDependencies,
): Promise<void> {
	const content = objectMember(item, 'successorContent');
	if (ownerOf(content) !== peer) {
		throw localNotificationErrors.create('successionPeerIsNotOwner', {
			message:
				'The new version of the attribute does not belong to the sender of the notification.',
		});
	}
	const isIdentity = content['@type'] === 'IdentityAttribute';
	const kind = isIdentity ? 'peerSharedIdentity' : 'peerSharedRelationship';
	const successor = {
		id: textMember(item, 'successorId'),
		content,
		shareInfo: shareInfoOf({ peer, notificationReference: notificationId }),
	};
	await succeed(tx, kind, textMember(item, 'predecessorId'), successor, writer);
}

async function deletedByOwner(item: JsonObject, context: ItemDependencies): Promise<void> {
	const record = await findShared(item, context, isPeerShared, 'isNotPeerShared');
	if (record === undefined) return;
	const isMarked = ({ deletionInfo }: AttributeRecord): boolean => deletionInfo !== undefined;
	await mark(record, 'DeletedByOwner', context, isMarked, [
		'consumption.ownSharedAttributeDeletedByOwner',
	]);
}

async function deletedByPeer(item: JsonObject, context: ItemDependencies): Promise<void> {
	const { ownAddress } = context.writer;
	const isOurs = (record: AttributeRecord): boolean => isOwnShared(record, ownAddress);
	const record = await findShared(item, context, isOurs, 'isNotOwnShared');
	if (record === undefined) return;
	await mark(record, 'DeletedByPeer', context, undefined, [
		'consumption.peerSharedAttributeDeletedByPeer',
	]);
}

async function thirdPartyDeleted(item: JsonObject, context: ItemDependencies): Promise<void> {
	const record = await findShared(item, context, isThirdParty, 'isNotThirdParty');
	if (record !== undefined) await mark(record, 'DeletedByPeer', context, undefined, ofThirdParty);
}

/**
 * Marks a forwarded attribute as deleted: a copy of an identity attribute, or of an attribute from
 * another relationship.
 */
async function forwardedDeleted(item: JsonObject, context: ItemDependencies): Promise<void> {
	const stored = await context.tx.attributes.get(textMember(item, 'attributeId'));
	const isOfThirdParty = stored !== undefined && isThirdParty(stored.record);
	await (isOfThirdParty ? thirdPartyDeleted : deletedByPeer)(item, context);
}

/**
 * Finds the attribute of an item; returns undefined for an unknown attribute, which was deleted
 * before.
 */
async function findShared(
	item: JsonObject,
	{ tx, peer }: ItemDependencies,
	isOfKind: (record: AttributeRecord) => boolean,
	problem: 'isNotPeerShared' | 'isNotOwnShared' | 'isNotThirdParty',
): Promise<AttributeRecord | undefined> {
	const record = (await tx.attributes.get(textMember(item, 'attributeId')))?.record;
	if (record === undefined) return undefined;
	const facts = { attributeId: record.id };
	if (!isOfKind(record)) {
		const message = `The attribute '${record.id}' is not of the kind that the peer names.`;
		throw localNotificationErrors.create(problem, { message, facts });
	}
	if (record.shareInfo?.peer === peer) return record;
	throw localNotificationErrors.create('senderIsNotPeer', {
		message: `The attribute '${record.id}' is not shared with the sender of the notification.`,
		facts,
	});
}

async function mark(
	record: AttributeRecord,
	deletionStatus: 'DeletedByOwner' | 'DeletedByPeer',
	{ tx, writer }: ItemDependencies,
	spared: ((version: AttributeRecord) => boolean) | undefined,
	events: readonly AttributeEvent[],
): Promise<void> {
	const info = { deletionStatus, deletionDate: writer.now };
	const marked = await markDeletion(tx, record, info, writer.ownAddress, spared);
	for (const event of events) await publishAttribute(tx, event, marked, writer.now);
}
