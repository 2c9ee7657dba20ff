import { defineErrors } from '../base/errors';

/**
 * Mistakes in the text of a symmetric key. They live below the crypto part because references carry
 * keys and are read where no key is used yet.
 */
export const keyErrors = defineErrors({
	wrongAlgorithm: {
		code: 'error.crypto.wrongEncryptionAlgorithm',
		kind: 'invalid',
		remedy: 'Ask the sender for a new reference or object; only algorithm 3 is supported.',
	},
	wrongSecretKey: {
		code: 'error.crypto.encryption.wrongSecretKey',
		kind: 'invalid',
		remedy: 'Check that the reference was copied completely.',
	},
});
