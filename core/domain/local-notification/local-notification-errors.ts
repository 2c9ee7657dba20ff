import { defineErrors } from '../../base/errors';

const nothingToDo = 'Nothing has to be done here; the peer and we hold different things.';

/** Coded errors of notifications between peers (docs/protocol/consumption.md 9). */
export const localNotificationErrors = defineErrors({
	notFound: {
		code: 'error.transport.recordNotFound',
		kind: 'notFound',
		remedy: 'Check the notification ID; choose it from the list.',
	},
	messageNotFound: {
		code: 'error.runtime.recordNotFound',
		kind: 'notFound',
		remedy: 'Check the message ID; run a sync if the message is new.',
	},
	messageWithoutNotification: {
		code: 'error.runtime.notifications.messageDoesNotContainNotification',
		kind: 'invalid',
		remedy: 'Choose a message whose content is a Notification.',
	},
	receivedFromOwnMessage: {
		code: 'error.runtime.notifications.cannotReceiveNotificationFromOwnMessage',
		kind: 'invalid',
		remedy: 'Choose a message of a peer; own ones are sent.',
	},
	sentFromPeerMessage: {
		code: 'error.runtime.notifications.cannotSaveSentNotificationFromPeerMessage',
		kind: 'invalid',
		remedy: 'Choose an own message; those of peers are received.',
	},
	wrongState: {
		code: 'error.runtime.unknown',
		kind: 'conflict',
		remedy: 'Only received notifications that are open or have failed can be processed.',
	},
	successionPeerIsNotOwner: {
		code: 'error.consumption.attributes.successionPeerIsNotOwner',
		kind: 'invalid',
		remedy: nothingToDo,
	},
	isNotPeerShared: {
		code: 'error.consumption.attributes.isNotPeerSharedAttribute',
		kind: 'invalid',
		remedy: nothingToDo,
	},
	isNotOwnShared: {
		code: 'error.consumption.attributes.isNotOwnSharedAttribute',
		kind: 'invalid',
		remedy: nothingToDo,
	},
	isNotThirdParty: {
		code: 'error.consumption.attributes.isNotThirdPartyRelationshipAttribute',
		kind: 'invalid',
		remedy: nothingToDo,
	},
	senderIsNotPeer: {
		code: 'error.consumption.attributes.senderIsNotPeerOfSharedAttribute',
		kind: 'invalid',
		remedy: nothingToDo,
	},
	unknownItem: {
		code: 'error.runtime.unknownType',
		kind: 'invalid',
		remedy: 'Update this package: the wallet of the peer is newer.',
	},
});
