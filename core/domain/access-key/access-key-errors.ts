import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/** Coded errors of the keys for the HTTP gateway. */
export const accessKeyErrors = defineErrors({
	notFound: {
		...general.recordNotFound,
		remedy: 'List the keys of the account, and use the ID of one of them.',
	},
	nameTaken: {
		code: 'error.gateway.accessKeys.nameTaken',
		kind: 'conflict',
		meaning: 'The account has a key of this name already.',
		remedy: 'Choose another name, rotate the key of this name, or revoke it first.',
	},
	tooMany: {
		code: 'error.gateway.accessKeys.tooMany',
		kind: 'conflict',
		meaning: 'The account has as many keys as it can have.',
		remedy: 'Revoke keys that are not used any more.',
	},
});
