import { parseAs } from '../../model/content/parse';
import type { Generation } from '../../model/content/generations';
import { notification } from '../../model/content/notifications';
import type { JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import { isIdentityAttribute } from '../attribute/attribute-kinds';
import type { Succession } from '../attribute/succession';

/* What we tell a peer of an attribute that both hold (docs/protocol/content.md 11.2, 13.2). */

export type DeletionNotice = 'ownShared' | 'peerShared' | 'thirdParty';

/** A notification with one item. */
export function notificationOf(id: string, item: JsonObject): JsonObject {
	return parseAs(notification, { id, items: [item] }, 'The notification');
}

/** @param generation of the peer's wallet; version 6 where it is not known */
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

/** Says that we have deleted it, and the versions before it. */
export function deletionItem(
	record: AttributeRecord,
	notice: DeletionNotice,
	generation: Generation | undefined,
): JsonObject {
	const type = generation === 7 ? typeFor7(record, notice) : typesFor6[notice];
	return { '@type': type, attributeId: record.id };
}

const typesFor6: Readonly<Record<DeletionNotice, string>> = {
	ownShared: 'OwnSharedAttributeDeletedByOwnerNotificationItem',
	peerShared: 'PeerSharedAttributeDeletedByPeerNotificationItem',
	thirdParty: 'ThirdPartyRelationshipAttributeDeletedByPeerNotificationItem',
};

function typeFor7(record: AttributeRecord, notice: DeletionNotice): string {
	if (notice === 'ownShared') return 'OwnAttributeDeletedByOwnerNotificationItem';
	const isForwarded = notice === 'thirdParty' || isIdentityAttribute(record);
	return isForwarded
		? 'ForwardedAttributeDeletedByPeerNotificationItem'
		: 'PeerRelationshipAttributeDeletedByPeerNotificationItem';
}
