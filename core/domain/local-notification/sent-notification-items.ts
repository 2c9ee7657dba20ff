import { parseAs } from '../../model/content/parse';
import type { Generation } from '../../model/content/generations';
import { notification } from '../../model/content/notifications';
import type { JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import { isIdentityAttribute } from '../attribute/attribute-kinds';
import type { Succession } from '../attribute/succession/succession';

/* Notifications to a peer about an attribute that both hold (docs/protocol/content.md 11.2, 13.2). */

export type DeletionItemKind = 'ownShared' | 'peerShared' | 'thirdParty';

/** Builds a notification with one item. */
export function notificationOf(id: string, item: JsonObject): JsonObject {
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
		predecessorId: predecessor.id,
		successorId: successor.id,
		successorContent: successor.content,
	};
}

/** Builds the item that reports the deletion of an attribute and its predecessors by this account. */
export function deletionItem(
	record: AttributeRecord,
	kind: DeletionItemKind,
	generation: Generation | undefined,
): JsonObject {
	const type = generation === 7 ? typeFor7(record, kind) : typesFor6[kind];
	return { '@type': type, attributeId: record.id };
}

const typesFor6: Readonly<Record<DeletionItemKind, string>> = {
	ownShared: 'OwnSharedAttributeDeletedByOwnerNotificationItem',
	peerShared: 'PeerSharedAttributeDeletedByPeerNotificationItem',
	thirdParty: 'ThirdPartyRelationshipAttributeDeletedByPeerNotificationItem',
};

function typeFor7(record: AttributeRecord, kind: DeletionItemKind): string {
	if (kind === 'ownShared') return 'OwnAttributeDeletedByOwnerNotificationItem';
	const isForwarded = kind === 'thirdParty' || isIdentityAttribute(record);
	return isForwarded
		? 'ForwardedAttributeDeletedByPeerNotificationItem'
		: 'PeerRelationshipAttributeDeletedByPeerNotificationItem';
}
