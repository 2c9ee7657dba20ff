import { defineErrors } from '../base/errors';

const askSender =
	'The object was damaged or made by incompatible software; ask its sender for it again.';

/**
 * Errors of keys, ciphers and signatures. The official library uses the same codes, as observed
 * from outside; `wrongSecretType` is from docs/protocol/interface-summary.md 7. Errors about
 * algorithm and length of symmetric keys: core/model/key-errors.ts.
 *
 * Source: docs/protocol/crypto-and-identity.md 2, 3, 5.4
 */
export const cryptoErrors = defineErrors({
	decrypt: {
		code: 'error.crypto.encryption.decrypt',
		kind: 'invalid',
		meaning: 'The content could not be decrypted.',
		remedy: 'The key does not belong to this object, or the object was altered on its way.',
	},
	wrongCounter: {
		code: 'error.crypto.encryption.wrongCounter',
		kind: 'invalid',
		meaning: 'The counter of an encrypted object is not a valid number.',
		remedy: askSender,
	},
	nonceAndCounter: {
		code: 'error.crypto.validation.nonceAndCounter',
		kind: 'invalid',
		meaning: 'An encrypted object has both a nonce and a counter, where only one is allowed.',
		remedy: askSender,
	},
	noNonceNorCounter: {
		code: 'error.crypto.validation.noNonceNorCounter',
		kind: 'invalid',
		meaning: 'An encrypted object has neither a nonce nor a counter.',
		remedy: askSender,
	},
	wrongBytes: {
		code: 'error.crypto.wrongSerializedBuffer',
		kind: 'invalid',
		meaning: 'A binary value is not valid base64url text or has the wrong length.',
		remedy: askSender,
	},
	emptyContent: {
		code: 'error.crypto.wrongBuffer',
		kind: 'invalid',
		meaning: 'There is no content to sign.',
		remedy: 'Signatures need at least one byte of content.',
	},
	wrongSignatureAlgorithm: {
		code: 'error.crypto.signature.wrongAlgorithm',
		kind: 'invalid',
		meaning: 'A signature names an algorithm that is not supported.',
		remedy: askSender,
	},
	wrongHashLabel: {
		code: 'error.crypto.hash.wrongHashAlgorithm',
		kind: 'invalid',
		meaning: 'A signature names a hash algorithm that is not supported.',
		remedy: askSender,
	},
	wrongExchangeAlgorithm: {
		code: 'error.crypto.exchange.wrongExchangeAlgorithm',
		kind: 'invalid',
		meaning: 'A key names an exchange algorithm that is not supported.',
		remedy: askSender,
	},
	keyExchange: {
		code: 'error.crypto.exchange.keyDerivation',
		kind: 'invalid',
		meaning: 'No shared key could be derived from the public key of the other side.',
		remedy: 'The public key of the other side is not usable; ask for a new template or request.',
	},
	verify: {
		code: 'error.crypto.signature.verify',
		kind: 'invalid',
		meaning: 'A signature could not be checked, because it or its key is malformed.',
		remedy: askSender,
	},
	unseal: {
		code: 'error.crypto.sealing.cannotOpen',
		kind: 'forbidden',
		meaning: 'A sealed row of the store could not be opened.',
		remedy:
			'Use the passphrase or key file with which the store was created. If it is the right one, the row was altered.',
	},
	wrongKeyFile: {
		code: 'error.crypto.sealing.wrongKeyFile',
		kind: 'invalid',
		meaning:
			'The key file does not hold a valid key. It may be cut off or come from another program.',
		remedy: 'Restore the key file that was created beside the store; it holds exactly 32 bytes.',
	},
	wrongSecretType: {
		code: 'error.transport.secrets.wrongSecretType',
		kind: 'internal',
		meaning: 'The stored keys of a relationship are not of the expected kind.',
		remedy: 'The stored keys of the relationship are damaged; restore the store from a backup.',
	},
	passwordHash: {
		code: 'error.crypto.passwordHash.failed',
		kind: 'unavailable',
		meaning: 'A password could not be hashed. The machine is probably short of memory.',
		remedy: 'Hashing a password needs 20 MiB of memory; free some and try again.',
	},
});
