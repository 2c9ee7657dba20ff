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
		remedy:
			'A message needs an active relationship: check the address, accept the relationship, or wait until the peer has accepted it.',
	},
	peerIsInDeletion: {
		code: 'error.runtime.messages.peerIsInDeletion',
		kind: 'conflict',
		remedy: 'The peer is deleting its identity; write again if it cancels the deletion.',
	},
	peerIsDeleted: {
		code: 'error.transport.messages.peerIsDeleted',
		kind: 'conflict',
		remedy: 'The peer deleted its identity; remove it from the recipients.',
	},
	fileNotFoundInMessage: {
		code: 'error.runtime.messages.fileNotFoundInMessage',
		kind: 'notFound',
		remedy: 'Give the ID of one of the files that the message lists as attachments.',
	},
	outcomeUnknown: {
		code: 'error.gateway.messages.outcomeUnknown',
		kind: 'unavailable',
		remedy:
			'Whether the message was taken is found out at the next sync. Repeating the same step does not send it twice.',
	},
	deliveredTooEarly: {
		code: 'error.gateway.messages.deliveredTooEarly',
		kind: 'conflict',
		remedy:
			'The message is still being sent by this account; the event is tried again by itself a moment later.',
	},
	notSent: {
		code: 'error.gateway.messages.notSent',
		kind: 'unavailable',
		remedy: 'The message never reached the Backbone; send it again.',
	},
});
