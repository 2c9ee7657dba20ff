import { parseAs } from '../../model/content/parse';
import type { Generation } from '../../model/peer-version';
import { notification, type Notification } from '../../model/content/notifications';
import type { JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import { idAtPeer } from '../attribute/attribute-ids';
import { isIdentityAttribute } from '../attribute/attribute-kinds';
import type { Succession } from '../attribute/succession/succession';

/*
 * Notifications to a peer about an attribute that both hold (docs/protocol/content.md 11.2, 13.2).
 */

export type DeletionItemKind = 'ownShared' | 'peerShared' | 'thirdParty';

/** @param item before it is parsed */
export function notificationOf(id: string, item: JsonObject): Notification {
	return parseAs(notification, { id, items: [item] }, 'The notification');
}

/** @param generation generation of the peer's wallet; version 6 if it is unknown */
export function successionItem(
	{ predecessor, successor }: Succession,
	generation: Generation | undefined,
): JsonObject {
	return {
		'@type':
			generation === 7
				? 'PeerAttributeSucceededNotificationItem'
				: 'PeerSharedAttributeSucceededNotificationItem',
		predecessorId: idAtPeer(predecessor),
		successorId: idAtPeer(successor),
		successorContent: successor.content,
	};
}

/**
 * Builds the item that reports the deletion of an attribute and its predecessors by this account.
 */
export function deletionItem(
	record: AttributeRecord,
	kind: DeletionItemKind,
	{ generation, ownAddress }: { generation: Generation | undefined; ownAddress: string },
): JsonObject {
	const type = generation === 7 ? typeFor7(record, kind, ownAddress) : typesFor6[kind];
	return { '@type': type, attributeId: idAtPeer(record) };
}

const typesFor6: Readonly<Record<DeletionItemKind, string>> = {
	ownShared: 'OwnSharedAttributeDeletedByOwnerNotificationItem',
	peerShared: 'PeerSharedAttributeDeletedByPeerNotificationItem',
	thirdParty: 'ThirdPartyRelationshipAttributeDeletedByPeerNotificationItem',
};

/** An attribute is a copy if this account has forwarded it, and none if the peer has. */
function typeFor7(record: AttributeRecord, kind: DeletionItemKind, ownAddress: string): string {
	const { sourceAttribute, sourceIsDeleted, thirdPartyAddress } = record.shareInfo ?? {};
	const isCopy = sourceAttribute !== undefined || sourceIsDeleted === true;
	const isForwardedByUs = kind === 'thirdParty' && isCopy;
	const isOurs = record.content.owner === ownAddress;
	if (kind === 'ownShared' || (isForwardedByUs && isOurs)) {
		return 'OwnAttributeDeletedByOwnerNotificationItem';
	}
	const isOfRelationship = thirdPartyAddress === undefined && !isIdentityAttribute(record);
	return isForwardedByUs || isOfRelationship
		? 'PeerRelationshipAttributeDeletedByPeerNotificationItem'
		: 'ForwardedAttributeDeletedByPeerNotificationItem';
}
