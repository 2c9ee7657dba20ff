import { defineErrors } from '../base/errors';

/** Coded errors about consumers and what they were given. */
export const eventErrors = defineErrors({
	nothingParked: {
		code: 'error.gateway.events.nothingParked',
		kind: 'notFound',
		remedy: 'List what is parked, and name its consumer and event as they stand there.',
	},
	unknownPosition: {
		code: 'error.gateway.events.unknownPosition',
		kind: 'invalid',
		remedy: 'Begin without a position: the account is another one, or was restored from a backup.',
	},
	invalidSelection: {
		code: 'error.gateway.events.invalidSelection',
		kind: 'invalid',
		remedy:
			"Give 'consumer' as text, 'eventIds' as a list of ids such as EVT000000000001, or both.",
	},
});
