import { defineErrors } from '../../base/errors';

/** Coded errors of messages (docs/protocol/transport.md 7.2, 18.2). */
export const messageErrors = defineErrors({
	notFound: {
		code: 'error.runtime.recordNotFound',
		kind: 'notFound',
		remedy: 'Check the message ID; run a sync if the message is new.',
	},
	invalidInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Correct the named field.',
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
	outcomeUnknown: {
		code: 'error.gateway.messages.outcomeUnknown',
		kind: 'unavailable',
		meaning: 'The Backbone did not confirm a message, for example because the connection was lost.',
		remedy:
			'The next sync finds out whether the Backbone has the message. Repeating the same step does not send it twice.',
	},
	deliveredTooEarly: {
		code: 'error.gateway.messages.deliveredTooEarly',
		kind: 'conflict',
		meaning: 'The Backbone reported a message as delivered before this account stored it as sent.',
		remedy:
			'The message is still being sent by this account; the gateway processes the event again a moment later.',
	},
	notSent: {
		code: 'error.gateway.messages.notSent',
		kind: 'unavailable',
		meaning: 'Sending was interrupted, and the Backbone does not have the message.',
		remedy: 'The message never reached the Backbone; send it again.',
	},
});
