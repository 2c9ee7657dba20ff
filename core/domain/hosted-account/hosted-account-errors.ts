import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/** Coded errors of the accounts of the HTTP gateway. */
export const hostedAccountErrors = defineErrors({
	exists: general.accountExists,
	tooMany: {
		code: 'error.gateway.accounts.tooMany',
		kind: 'conflict',
		meaning: 'The HTTP gateway has as many accounts as it can have.',
		remedy: 'Delete accounts that are not needed, or start a second gateway.',
	},
});
