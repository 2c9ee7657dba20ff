import { decodeBase64Url, decodeUtf8, encodeBase64Url, encodeUtf8 } from '../base/encoding';
import type { Random } from '../base/random';
import type { Cipher } from './cipher';
import { cryptoErrors } from './crypto-errors';
import type { SecretKey } from './keys';
import { encodeKey, keyBytes } from './keys';
import { sodium } from './sodium';

const nonceLength = 24;

export function generateSecretKey(random: Random): SecretKey {
	return encodeKey(random.bytes(32));
}

/**
 * Encrypts with XChaCha20-Poly1305 and a nonce, which is part of the cipher; text as UTF-8.
 *
 * @param nonce random unless given; a given nonce is used with this key only once
 * @see docs/protocol/crypto-and-identity.md 2.4
 */
export function encrypt(
	key: SecretKey,
	plaintext: string | Uint8Array,
	random: Random,
	nonce = random.bytes(nonceLength),
): Cipher {
	return {
		cph: encodeBase64Url(encryptBytes(key, plaintext, nonce)),
		alg: 3,
		nnc: encodeBase64Url(nonce),
	};
}

/**
 * @throws `error.crypto.encryption.decrypt` if key, nonce and ciphertext do not belong together, or
 * for a cipher with a counter
 */
export function decrypt(key: SecretKey, cipher: Cipher): Uint8Array {
	const nonce = cipher.nnc === undefined ? undefined : decodeBase64Url(cipher.nnc);
	if (nonce === undefined) throw decryptionFailure('a cipher with a nonce');
	return decryptBytes(key, cipher, nonce);
}

/** @throws `error.crypto.encryption.decrypt`, also for bytes that are not UTF-8 */
export function decryptText(key: SecretKey, cipher: Cipher): string {
	return textOf(decrypt(key, cipher));
}

export function textOf(plaintext: Uint8Array): string {
	const text = decodeUtf8(plaintext);
	if (text === undefined) throw decryptionFailure('UTF-8 text inside the cipher');
	return text;
}

export function encryptBytes(
	key: SecretKey,
	plaintext: string | Uint8Array,
	nonce: Uint8Array,
): Uint8Array {
	const bytes = typeof plaintext === 'string' ? encodeUtf8(plaintext) : plaintext;
	return sodium().crypto_aead_xchacha20poly1305_ietf_encrypt(
		bytes,
		null,
		null,
		nonce,
		keyBytes(key),
	);
}

export function decryptBytes(key: SecretKey, cipher: Cipher, nonce: Uint8Array): Uint8Array {
	const ciphertext = decodeBase64Url(cipher.cph);
	if (ciphertext === undefined || nonce.length !== nonceLength) {
		throw decryptionFailure('a ciphertext and a nonce of 24 bytes');
	}
	try {
		return sodium().crypto_aead_xchacha20poly1305_ietf_decrypt(
			null,
			ciphertext,
			null,
			nonce,
			keyBytes(key),
		);
	} catch (cause) {
		throw decryptionFailure('a cipher made with this key', cause);
	}
}

function decryptionFailure(expected: string, cause?: unknown): Error {
	return cryptoErrors.create('decrypt', {
		message: `Expected ${expected}, found something else`,
		cause,
	});
}
