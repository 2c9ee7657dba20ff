import { defineErrors } from '../../base/errors';

/** Coded errors of contacts. */
export const contactErrors = defineErrors({
	notFound: {
		code: 'error.gateway.contacts.notFound',
		kind: 'notFound',
		meaning: 'This account has no relationship with the address, and had none.',
		remedy:
			'Check the address; choose the contact from the list or run a sync first. A person becomes a contact with a relationship.',
	},
	invalidInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Correct the named field.',
	},
});
