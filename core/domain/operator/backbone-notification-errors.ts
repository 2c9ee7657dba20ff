import { defineErrors } from '../../base/errors';

/** Coded errors of Backbone notifications (docs/protocol/http-api.md 8.4, transport.md 19). */
export const backboneNotificationErrors = defineErrors({
	recipientRequired: {
		code: 'error.transport.backboneNotifications.atLeastOneRecipientRequired',
		kind: 'invalid',
		meaning: 'The notification has no recipients.',
		remedy: 'Name at least one recipient.',
	},
	codeRequired: {
		code: 'error.transport.backboneNotifications.codeMustNotBeEmpty',
		kind: 'invalid',
		meaning: 'The notification has no code.',
		remedy:
			'Give the code of a notification that the operator of the Backbone has configured; the error about a code that does not exist lists them.',
	},
	noActiveRelationship: {
		code: 'error.transport.backboneNotifications.noActiveRelationshipFoundForRecipients',
		kind: 'conflict',
		meaning: 'This account has no active relationship with one of the recipients.',
		remedy: 'Notify only peers with an active relationship; run a sync to see the newest status.',
	},
});
