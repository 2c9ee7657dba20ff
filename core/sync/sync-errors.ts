import { general } from '../base/error-definitions';
import { defineErrors } from '../base/errors';

/** Error codes of synchronisation (docs/protocol/transport.md 13). */
export const syncErrors = defineErrors({
	busyElsewhere: {
		code: 'error.gateway.sync.busyElsewhere',
		kind: 'unavailable',
		meaning: 'Another process has been synchronising the account for over 30 seconds.',
		remedy: 'Another process is synchronising this account; repeat in a moment.',
	},
	notReconciled: {
		code: 'error.gateway.sync.notReconciled',
		kind: 'unavailable',
		meaning: 'The account could not be compared with the Backbone. The message says why.',
		remedy: 'Repeat it later. Syncs also try it again, after an hour.',
	},
	invalidReconcileInput: {
		...general.invalidPropertyValue,
		remedy: 'Give full as true or false, or leave it out.',
	},
	malformedEvent: {
		code: 'error.transport.unknown',
		kind: 'invalid',
		meaning: 'The Backbone sent an event that cannot be read.',
		remedy: 'Report this to the operator of the Backbone; the event is kept for inspection.',
	},
});
