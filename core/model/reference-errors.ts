import { defineErrors } from '../base/errors';

/** Source: docs/protocol/crypto-and-identity.md 14, 15 */
export const referenceErrors = defineErrors({
	invalidTruncatedReference: {
		code: 'error.core-types.invalidTruncatedReference',
		kind: 'invalid',
		remedy: 'Check that the reference was copied completely, or ask for a new one.',
	},
	missingBackboneBaseUrl: {
		code: 'error.core-types.missingBackboneBaseUrl',
		kind: 'invalid',
		remedy: 'A link needs the address of the Backbone; use the truncated reference instead.',
	},
	/** Well-formed, but one of its fields is not possible. */
	invalidField: {
		code: 'error.runtime.requestDeserialization',
		kind: 'invalid',
		remedy: 'Check that the reference was copied completely, or ask for a new one.',
	},
	/** Not even the form that this operation accepts. */
	invalidInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Give a reference of the kind that this operation loads, as link or as text.',
	},
	/** Of another kind than its form promised. */
	wrongKind: {
		code: 'error.runtime.invalidReference',
		kind: 'invalid',
		remedy: 'Give a reference of the kind that this operation loads.',
	},
	noPasswordProvided: {
		code: 'error.transport.noPasswordProvided',
		kind: 'invalid',
		remedy: 'The object is protected: give the password or PIN that its creator handed out.',
	},
	notIntendedForYou: {
		code: 'error.transport.general.notIntendedForYou',
		kind: 'forbidden',
		remedy: 'The object was made for another identity; ask its creator for one of your own.',
	},
});
