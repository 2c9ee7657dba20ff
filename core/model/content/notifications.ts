import type * as z from 'zod';
import { anyAttribute } from './attributes';
import { contentType, tagged, type ContentOf, type Flat } from './content-type';
import { idField, listField } from './fields';

const attributeShape = () => ({
	/** id of the attribute at the sender */
	attributeId: idField,
});
const successionShape = () => ({
	/** id of the version before */
	predecessorId: idField,
	/** id of the new version */
	successorId: idField,
	/** new version */
	successorContent: anyAttribute,
});

const thirdPartyDeletion = 'ThirdPartyOwnedRelationshipAttributeDeletedByPeerNotificationItem';

/** Notification items by name (docs/protocol/content.md 11.2). */
export const notificationItems = [
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

/** What a notification tells about one attribute. */
export type NotificationItem = Flat<ContentOf<(typeof notificationItems)[number]>>;

const notificationItem: z.ZodType<NotificationItem> = tagged(() => notificationItems);

/** @see docs/protocol/content.md 11.2 */
export const notification = contentType('Notification', () => ({
	/** `NOT` id */
	id: idField,
	/** what is told, one item for each attribute */
	items: listField(notificationItem, { required: true, min: 1 }),
}));

/** Notification of a peer about attributes. */
export type Notification = Flat<ContentOf<typeof notification>>;
