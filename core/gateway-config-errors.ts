import { defineErrors } from './base/errors';

/** What can be wrong with a configuration. */
export const configErrors = defineErrors({
	invalid: {
		code: 'error.gateway.configuration.invalid',
		kind: 'invalid',
		remedy: 'Correct the named field of the credential or configuration.',
	},
});
