import { defineErrors } from '../base/errors';

/**
 * Errors in the text of a symmetric key. Defined below the crypto layer because references contain
 * keys and are parsed without it.
 */
export const keyErrors = defineErrors({
	wrongAlgorithm: {
		code: 'error.crypto.wrongEncryptionAlgorithm',
		kind: 'invalid',
		meaning: 'A reference or key names an encryption algorithm that is not supported.',
		remedy: 'Ask the sender for a new reference or object; only algorithm 3 is supported.',
	},
	wrongSecretKey: {
		code: 'error.crypto.encryption.wrongSecretKey',
		kind: 'invalid',
		meaning: 'The key in the reference is not valid.',
		remedy: 'Check that the reference was copied completely.',
	},
});
