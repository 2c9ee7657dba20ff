import { defineErrors } from '../../base/errors';

/** Coded errors of relationship templates (docs/protocol/transport.md 4, 18; http-api.md 8.12). */
export const templateErrors = defineErrors({
	notFound: {
		code: 'error.runtime.recordNotFound',
		kind: 'notFound',
		remedy:
			'Check the template ID or reference. A template that expired, was deleted, is meant for somebody else or is protected by another password looks the same as an unknown one.',
	},
	invalidInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Correct the named field.',
	},
	notIntendedForYou: {
		code: 'error.transport.general.notIntendedForYou',
		kind: 'forbidden',
		remedy: 'This template was made for another identity; ask for one of your own.',
	},
	invalidTokenContent: {
		code: 'error.runtime.invalidTokenContent',
		kind: 'invalid',
		remedy: 'Use a token that was made for a relationship template.',
	},
});
