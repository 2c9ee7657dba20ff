import { defineErrors } from '../base/errors';

const askSender =
	'The object was damaged or made by incompatible software; ask its sender for it again.';

/**
 * Failures of keys, ciphers and signatures. Codes are those of the official library, observed from
 * outside; `wrongSecretType` is that of docs/protocol/interface-summary.md 7. Algorithm and length of symmetric keys: core/model/key-errors.ts.
 *
 * Source: docs/protocol/crypto-and-identity.md 2, 3, 5.4
 */
export const cryptoErrors = defineErrors({
	decrypt: {
		code: 'error.crypto.encryption.decrypt',
		kind: 'invalid',
		remedy: 'The key does not belong to this object, or the object was altered on its way.',
	},
	wrongCounter: {
		code: 'error.crypto.encryption.wrongCounter',
		kind: 'invalid',
		remedy: askSender,
	},
	nonceAndCounter: {
		code: 'error.crypto.validation.nonceAndCounter',
		kind: 'invalid',
		remedy: askSender,
	},
	noNonceNorCounter: {
		code: 'error.crypto.validation.noNonceNorCounter',
		kind: 'invalid',
		remedy: askSender,
	},
	wrongBytes: {
		code: 'error.crypto.wrongSerializedBuffer',
		kind: 'invalid',
		remedy: askSender,
	},
	emptyContent: {
		code: 'error.crypto.wrongBuffer',
		kind: 'invalid',
		remedy: 'Signatures need at least one byte of content.',
	},
	wrongSignatureAlgorithm: {
		code: 'error.crypto.signature.wrongAlgorithm',
		kind: 'invalid',
		remedy: askSender,
	},
	wrongHashLabel: {
		code: 'error.crypto.hash.wrongHashAlgorithm',
		kind: 'invalid',
		remedy: askSender,
	},
	wrongExchangeAlgorithm: {
		code: 'error.crypto.exchange.wrongExchangeAlgorithm',
		kind: 'invalid',
		remedy: askSender,
	},
	keyExchange: {
		code: 'error.crypto.exchange.keyDerivation',
		kind: 'invalid',
		remedy: 'The public key of the other side is not usable; ask for a new template or request.',
	},
	verify: {
		code: 'error.crypto.signature.verify',
		kind: 'invalid',
		remedy: askSender,
	},
	unseal: {
		code: 'error.crypto.sealing.cannotOpen',
		kind: 'forbidden',
		remedy:
			'Give the passphrase or key file this store was made with; if it is the right one, the row was altered.',
	},
	wrongKeyFile: {
		code: 'error.crypto.sealing.wrongKeyFile',
		kind: 'invalid',
		remedy: 'Restore the key file that was created beside the store; it holds exactly 32 bytes.',
	},
	wrongSecretType: {
		code: 'error.transport.secrets.wrongSecretType',
		kind: 'internal',
		remedy: 'The stored keys of the relationship are damaged; restore the store from a backup.',
	},
	passwordHash: {
		code: 'error.crypto.passwordHash.failed',
		kind: 'unavailable',
		remedy: 'Hashing a password needs 20 MiB of memory; free some and try again.',
	},
});
