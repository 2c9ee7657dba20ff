import { defineErrors } from '../base/errors';

/** Coded errors of synchronising (docs/protocol/transport.md 13). */
export const syncErrors = defineErrors({
	busyElsewhere: {
		code: 'error.gateway.sync.busyElsewhere',
		kind: 'unavailable',
		remedy: 'Another process is synchronising this account; repeat in a moment.',
	},
	malformedEvent: {
		code: 'error.transport.unknown',
		kind: 'invalid',
		remedy: 'Report this to the operator of the Backbone; the event is kept for inspection.',
	},
});
