import { defineErrors } from '../base/errors';

/** Coded errors of reading events. */
export const eventErrors = defineErrors({
	unknownName: {
		code: 'error.gateway.events.unknownName',
		kind: 'invalid',
		meaning: 'A filter asks for an event that does not exist. The message names a similar one.',
		remedy: 'Use a name of docs/events.md; names are case sensitive.',
	},
	unknownPosition: {
		code: 'error.gateway.events.unknownPosition',
		kind: 'invalid',
		meaning: 'The position in the sequence of events does not exist in this account.',
		remedy: 'Start without a position: this is another account, or it was restored from a backup.',
	},
});
