import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/** Coded errors of messages (docs/protocol/transport.md 7.2, 18.2). */
export const messageErrors = defineErrors({
	notFound: {
		...general.recordNotFound,
		remedy: 'Check the message ID; run a sync if the message is new.',
	},
	missingOrInactiveRelationship: {
		code: 'error.transport.messages.missingOrInactiveRelationship',
		kind: 'conflict',
		meaning: 'This account has no active relationship with a recipient of the message.',
		remedy:
			'A message needs an active relationship: check the address, accept the relationship, or wait until the peer has accepted it.',
	},
	peerIsInDeletion: {
		code: 'error.runtime.messages.peerIsInDeletion',
		kind: 'conflict',
		meaning: 'A recipient of the message is deleting its identity.',
		remedy: 'The peer is deleting its identity; write again if it cancels the deletion.',
	},
	peerIsDeleted: {
		code: 'error.transport.messages.peerIsDeleted',
		kind: 'conflict',
		meaning: 'A recipient of the message has deleted its identity.',
		remedy: 'The peer deleted its identity; remove it from the recipients.',
	},
	fileNotFoundInMessage: {
		code: 'error.runtime.messages.fileNotFoundInMessage',
		kind: 'notFound',
		meaning: 'The message has no attachment with this ID.',
		remedy: 'Give the ID of one of the files that the message lists as attachments.',
	},
	outcomeUnknown: general.outcomeUnknown,
	deliveredTooEarly: {
		code: 'error.gateway.messages.deliveredTooEarly',
		kind: 'conflict',
		meaning: 'The Backbone reported a message as delivered before this account stored it as sent.',
		remedy:
			'The message is still being sent by this account; the gateway processes the event again a moment later.',
	},
	sentByAnotherCopy: {
		code: 'error.gateway.messages.sentByAnotherCopy',
		kind: 'conflict',
		meaning:
			'The Backbone has messages of this account that this copy of the account has not sent while it was in use.',
		remedy:
			'Two copies of one account take events away from each other and may encrypt with the same numbers. Stop the other copy, or move the account with `account export`. If the machine was set back to a snapshot, nothing else is to be done. Then discard the problem.',
	},
	notSent: {
		code: 'error.gateway.messages.notSent',
		kind: 'unavailable',
		meaning: 'Sending was interrupted, and the Backbone does not have the message.',
		remedy: 'The message never reached the Backbone; send it again.',
	},
});
