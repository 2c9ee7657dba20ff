import { defineErrors } from '../base/errors';

/** Coded errors of synchronising (docs/protocol/transport.md 13). */
export const syncErrors = defineErrors({
	busyElsewhere: {
		code: 'error.gateway.sync.busyElsewhere',
		kind: 'unavailable',
		remedy: 'Another process is synchronising this account; repeat in a moment.',
	},
	notReconciled: {
		code: 'error.gateway.sync.notReconciled',
		kind: 'unavailable',
		remedy: 'Repeat it later; every sync after an hour tries it again by itself.',
	},
	invalidReconcileInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Give full as true or false, or leave it out.',
	},
	malformedEvent: {
		code: 'error.transport.unknown',
		kind: 'invalid',
		remedy: 'Report this to the operator of the Backbone; the event is kept for inspection.',
	},
});
