import { anyAttribute } from './attributes';
import { contentType, tagged, type ContentType } from './content-type';
import { idField, listField } from './fields';

const attributeShape = () => ({ attributeId: idField });
const successionShape = () => ({
	predecessorId: idField,
	successorId: idField,
	successorContent: anyAttribute,
});

const thirdPartyDeletion = 'ThirdPartyOwnedRelationshipAttributeDeletedByPeerNotificationItem';

/** Notification items by name (docs/protocol/content.md 11.2). */
export const notificationItems: readonly ContentType[] = [
	contentType('PeerSharedAttributeSucceededNotificationItem', successionShape),
	contentType('OwnSharedAttributeDeletedByOwnerNotificationItem', attributeShape),
	contentType('PeerSharedAttributeDeletedByPeerNotificationItem', attributeShape),
	contentType(thirdPartyDeletion, attributeShape),
	// Old wallets of version 6 read the older name only.
	contentType('ThirdPartyRelationshipAttributeDeletedByPeerNotificationItem', attributeShape, {
		writtenAs: thirdPartyDeletion,
	}),
	/* Items of version 7 (docs/protocol/content.md 13.2). */
	contentType('PeerAttributeSucceededNotificationItem', successionShape),
	contentType('OwnAttributeDeletedByOwnerNotificationItem', attributeShape),
	contentType('ForwardedAttributeDeletedByPeerNotificationItem', attributeShape),
	contentType('PeerRelationshipAttributeDeletedByPeerNotificationItem', attributeShape),
];

/** @see docs/protocol/content.md 11.2 */
export const notification = contentType('Notification', () => ({
	id: idField,
	items: listField(
		tagged(() => notificationItems),
		{ required: true, min: 1 },
	),
}));
