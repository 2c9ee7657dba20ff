import { defineErrors } from '../base/errors';

/** Coded errors about reading events. */
export const eventErrors = defineErrors({
	unknownPosition: {
		code: 'error.gateway.events.unknownPosition',
		kind: 'invalid',
		remedy: 'Begin without a position: the account is another one, or was restored from a backup.',
	},
});
