import type { NotificationItem } from '../../model/content/notifications';
import type { JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';
import {
	publishAttribute,
	publishSourceOf,
	type AttributeEvent,
} from '../attribute/attribute-events';
import { findAtPeer } from '../attribute/attribute-ids';
import { isOwnShared, isPeerShared, isThirdParty } from '../attribute/attribute-kinds';
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

type SuccessionItem = Extract<NotificationItem, { successorId: string }>;
type DeletionItem = Exclude<NotificationItem, SuccessionItem>;

const ofThirdParty: readonly AttributeEvent[] = [
	'consumption.thirdPartyRelationshipAttributeDeletedByPeer',
	// name in older software
	'consumption.thirdPartyOwnedRelationshipAttributeDeletedByPeer',
];

/**
 * Checks and applies an item (docs/protocol/consumption.md 9.2).
 *
 * @throws `error.consumption.attributes.*` when the item does not fit the stored attributes
 */
export async function processItem(
	item: NotificationItem,
	context: ItemDependencies,
): Promise<void> {
	switch (item['@type']) {
		case 'PeerSharedAttributeSucceededNotificationItem':
			return await attributeSucceeded(item, context);
		case 'OwnSharedAttributeDeletedByOwnerNotificationItem':
			return await deletedByOwner(item, context);
		case 'PeerSharedAttributeDeletedByPeerNotificationItem':
			return await deletedByPeer(item, context);
		case 'ThirdPartyOwnedRelationshipAttributeDeletedByPeerNotificationItem':
			return await thirdPartyDeleted(item, context);
		/* Items of version 7, which distinguishes kinds of attributes differently (content.md 13.2). */
		case 'PeerAttributeSucceededNotificationItem':
			return await attributeSucceeded(item, context);
		case 'OwnAttributeDeletedByOwnerNotificationItem':
			return await deletedByOwner(item, context);
		case 'PeerRelationshipAttributeDeletedByPeerNotificationItem':
		case 'ForwardedAttributeDeletedByPeerNotificationItem':
			return await sharedOrForwardedDeleted(item, context);
		default:
			throw unknownItem(item);
	}
}

function unknownItem(item: never): Error {
	const { '@type': type }: JsonObject = item;
	return localNotificationErrors.create('unknownItem', {
		message: `'${String(type).slice(0, 100)}' is not a known notification item.`,
	});
}

async function attributeSucceeded(
	{ '@type': type, predecessorId, successorId: id, successorContent: content }: SuccessionItem,
	{ tx, writer, peer, notificationId }: ItemDependencies,
): Promise<void> {
	if (content.owner !== peer) {
		throw localNotificationErrors.create('successionPeerIsNotOwner', {
			message:
				'The new version of the attribute does not belong to the sender of the notification.',
		});
	}
	const isIdentity = content['@type'] === 'IdentityAttribute';
	const kind = isIdentity ? 'peerSharedIdentity' : 'peerSharedRelationship';
	const successor = {
		id,
		content,
		shareInfo: shareInfoOf({ peer, notificationReference: notificationId }),
		isPlannedDeletionIgnored: type === 'PeerAttributeSucceededNotificationItem',
	};
	const predecessor = await findAtPeer(tx, peer, predecessorId);
	await succeed(tx, kind, predecessor?.id ?? predecessorId, successor, writer);
}

async function deletedByOwner(item: DeletionItem, context: ItemDependencies): Promise<void> {
	const record = await findShared(item, context, isPeerShared, 'isNotPeerShared');
	if (record === undefined) return;
	const isMarked = ({ deletionInfo }: AttributeRecord): boolean => deletionInfo !== undefined;
	await mark(record, 'DeletedByOwner', context, isMarked, [
		'consumption.ownSharedAttributeDeletedByOwner',
	]);
}

async function deletedByPeer(item: DeletionItem, context: ItemDependencies): Promise<void> {
	const { ownAddress } = context.writer;
	const isOurs = (record: AttributeRecord): boolean => isOwnShared(record, ownAddress);
	const record = await findShared(item, context, isOurs, 'isNotOwnShared');
	if (record === undefined) return;
	await mark(record, 'DeletedByPeer', context, undefined, [
		'consumption.peerSharedAttributeDeletedByPeer',
	]);
}

async function thirdPartyDeleted(item: DeletionItem, context: ItemDependencies): Promise<void> {
	const record = await findShared(item, context, isThirdParty, 'isNotThirdParty');
	if (record !== undefined) await mark(record, 'DeletedByPeer', context, undefined, ofThirdParty);
}

/**
 * Marks an attribute as deleted that this account has shared with the peer, or that one of both has
 * forwarded to the other from another relationship.
 */
async function sharedOrForwardedDeleted(
	item: DeletionItem,
	context: ItemDependencies,
): Promise<void> {
	const stored = await findAtPeer(context.tx, context.peer, item.attributeId);
	const isOfThirdParty = stored !== undefined && isThirdParty(stored);
	await (isOfThirdParty ? thirdPartyDeleted : deletedByPeer)(item, context);
}

/**
 * Finds the attribute of an item; returns undefined for an unknown attribute, which was deleted
 * before.
 */
async function findShared(
	item: DeletionItem,
	{ tx, peer }: ItemDependencies,
	isOfKind: (record: AttributeRecord) => boolean,
	problem: 'isNotPeerShared' | 'isNotOwnShared' | 'isNotThirdParty',
): Promise<AttributeRecord | undefined> {
	const record =
		(await findAtPeer(tx, peer, item.attributeId)) ??
		(await tx.attributes.get(item.attributeId))?.record;
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
	// Only a peer deletes what was forwarded to it: copies belong to this account.
	await publishSourceOf(tx, 'consumption.forwardedAttributeDeletedByPeer', marked, writer.now);
}
