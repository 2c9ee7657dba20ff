import { general } from '../base/error-definitions';
import { defineErrors } from '../base/errors';

/** Errors of references (docs/protocol/crypto-and-identity.md 14, 15). */
export const referenceErrors = defineErrors({
	invalidTruncatedReference: {
		code: 'error.core-types.invalidTruncatedReference',
		kind: 'invalid',
		meaning: 'The reference cannot be read.',
		remedy: 'Check that the reference was copied completely, or ask for a new one.',
	},
	missingBackboneBaseUrl: {
		code: 'error.core-types.missingBackboneBaseUrl',
		kind: 'invalid',
		meaning: 'A link was requested, and the address of the Backbone is not known.',
		remedy: 'A link needs the address of the Backbone; use the truncated reference instead.',
	},
	/** Well-formed reference with an impossible field. */
	invalidField: {
		...general.unreadableContent,
		remedy: 'Check that the reference was copied completely, or ask for a new one.',
	},
	/** Text without the form that this operation accepts. */
	invalidInput: {
		...general.invalidPropertyValue,
		remedy: 'Give a reference of the kind that this operation loads, as link or as text.',
	},
	tooLongForQrCode: {
		code: 'error.gateway.references.tooLongForQrCode',
		kind: 'invalid',
		meaning: 'The reference is longer than a QR code with this error correction can hold.',
		remedy:
			'Choose a lower error correction, or the shorter content for the QR code: the reference instead of the link.',
	},
	/** Reference of another kind than its form suggests. */
	wrongKind: {
		code: 'error.runtime.invalidReference',
		kind: 'invalid',
		meaning: 'The reference leads to another kind of object.',
		remedy: 'Give a reference of the kind that this operation loads.',
	},
	noPasswordProvided: {
		code: 'error.transport.noPasswordProvided',
		kind: 'invalid',
		meaning: 'The object is protected by a password or PIN, and none was given.',
		remedy: 'The object is protected: give the password or PIN that its creator handed out.',
	},
	notIntendedForYou: general.notIntendedForYou,
});
