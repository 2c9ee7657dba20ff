import { defineErrors } from '../base/errors';

/** Coded errors of reading events. */
export const eventErrors = defineErrors({
	unknownPosition: {
		code: 'error.gateway.events.unknownPosition',
		kind: 'invalid',
		meaning: 'The position in the sequence of events does not exist in this account.',
		remedy: 'Start without a position: this is another account, or it was restored from a backup.',
	},
});
