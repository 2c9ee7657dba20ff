import { defineErrors } from '../../base/errors';

/** Coded errors of attributes (docs/protocol/consumption.md 8, 14). */
export const attributeErrors = defineErrors({
	notFound: {
		code: 'error.runtime.recordNotFound',
		kind: 'notFound',
		remedy: 'Check the attribute ID; choose it from the list.',
	},
	invalidInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Correct the named field.',
	},
	duplicate: {
		code: 'error.runtime.attributes.cannotCreateDuplicateRepositoryAttribute',
		kind: 'conflict',
		remedy: 'Use the attribute that exists already.',
	},
	notSupportedYet: {
		code: 'error.gateway.notSupportedYet',
		kind: 'invalid',
		remedy:
			'Use DisplayName, GivenName, Surname or EMailAddress; other types come with a later version.',
	},
});
