import { defineErrors } from '../../base/errors';

/** Coded errors of the accounts of the HTTP gateway. */
export const hostedAccountErrors = defineErrors({
	exists: {
		code: 'error.gateway.accounts.exists',
		kind: 'conflict',
		meaning: 'The HTTP gateway has an account of this name already, in any letter case.',
		remedy: 'Choose another name, or delete the account of this name first.',
	},
	tooMany: {
		code: 'error.gateway.accounts.tooMany',
		kind: 'conflict',
		meaning: 'The HTTP gateway has as many accounts as it can have.',
		remedy: 'Delete accounts that are not needed, or start a second gateway.',
	},
});
