import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

const nothingToDo =
	'Nothing needs to be done here: the data of the peer differs from the data of this account.';

/** Coded errors of notifications between peers (docs/protocol/consumption.md 9). */
export const localNotificationErrors = defineErrors({
	notFound: {
		...general.neededRecordNotFound,
		remedy: 'Check the notification ID; choose it from the list.',
	},
	messageNotFound: {
		...general.recordNotFound,
		remedy: 'Check the message ID; run a sync if the message is new.',
	},
	messageWithoutNotification: {
		code: 'error.runtime.notifications.messageDoesNotContainNotification',
		kind: 'invalid',
		meaning: 'The message does not contain a notification.',
		remedy: 'Choose a message whose content is a Notification.',
	},
	receivedFromOwnMessage: {
		code: 'error.runtime.notifications.cannotReceiveNotificationFromOwnMessage',
		kind: 'invalid',
		meaning: 'The message was sent by this account, so its notification cannot be received.',
		remedy: 'Choose a message of a peer; own messages are sent, not received.',
	},
	sentFromPeerMessage: {
		code: 'error.runtime.notifications.cannotSaveSentNotificationFromPeerMessage',
		kind: 'invalid',
		meaning: 'The message was sent by a peer, so its notification cannot be stored as sent.',
		remedy: 'Choose an own message; messages of peers are received, not sent.',
	},
	wrongState: {
		...general.unknown,
		kind: 'conflict',
		remedy: 'Only received notifications that are open or have failed can be processed.',
	},
	successionPeerIsNotOwner: {
		code: 'error.consumption.attributes.successionPeerIsNotOwner',
		kind: 'invalid',
		meaning: 'A peer sent a new version of an attribute that another identity owns.',
		remedy: nothingToDo,
	},
	isNotPeerShared: {
		code: 'error.consumption.attributes.isNotPeerSharedAttribute',
		kind: 'invalid',
		meaning: 'A peer reported a change of an attribute that it has not shared with this account.',
		remedy: nothingToDo,
	},
	isNotOwnShared: {
		code: 'error.consumption.attributes.isNotOwnSharedAttribute',
		kind: 'invalid',
		meaning: 'A peer reported a change of an attribute that this account has not shared with it.',
		remedy: nothingToDo,
	},
	isNotThirdParty: {
		code: 'error.consumption.attributes.isNotThirdPartyRelationshipAttribute',
		kind: 'invalid',
		meaning: 'A peer reported a change of an attribute that belongs to no other relationship.',
		remedy: nothingToDo,
	},
	senderIsNotPeer: {
		code: 'error.consumption.attributes.senderIsNotPeerOfSharedAttribute',
		kind: 'invalid',
		meaning: 'A peer reported a change of an attribute that is shared with another peer.',
		remedy: nothingToDo,
	},
	unknownItem: {
		...general.unknownType,
		remedy: 'Update this package: the wallet of the peer is newer.',
	},
});
