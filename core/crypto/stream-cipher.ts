import {
	createCipheriv,
	createDecipheriv,
	type CipherChaCha20Poly1305,
	type DecipherChaCha20Poly1305,
} from 'node:crypto';
import { hchacha } from '@noble/ciphers/chacha.js';
import type { SecretKey } from './keys';
import { keyBytes } from './keys';

/**
 * XChaCha20-Poly1305 piece by piece, for files: libsodium takes a whole message and copies it twice
 * into memory that it never gives back. HChaCha20 derives a key from the first part of the extended
 * nonce, with which Node's cipher does the rest.
 *
 * Source: draft-irtf-cfrg-xchacha-03 2.2, 2.3; docs/protocol/crypto-and-identity.md 2.4
 */
const algorithm = 'chacha20-poly1305';

/** bytes of the tag at the end of a ciphertext */
export const tagLength = 16;

export function startEncryption(key: SecretKey, nonce: Uint8Array): CipherChaCha20Poly1305 {
	const [derived, rest] = deriveSubkey(key, nonce);
	return createCipheriv(algorithm, derived, rest, { authTagLength: tagLength });
}

/** Starts decryption; callers must not use the plaintext before `final` has verified the tag. */
export function startDecryption(
	key: SecretKey,
	nonce: Uint8Array,
	tag: Uint8Array,
): DecipherChaCha20Poly1305 {
	const [derived, rest] = deriveSubkey(key, nonce);
	const decipher = createDecipheriv(algorithm, derived, rest, { authTagLength: tagLength });
	decipher.setAuthTag(tag);
	return decipher;
}

const sigma = wordsOf(Buffer.from('expand 32-byte k', 'latin1'));

/** The key and nonce of Node's cipher for a key and nonce of the extended one. */
function deriveSubkey(key: SecretKey, nonce: Uint8Array): [key: Uint8Array, nonce: Uint8Array] {
	if (nonce.length !== 24) throw new TypeError('The nonce of a stream has 24 bytes');
	const derived = new Uint32Array(8);
	hchacha(sigma, wordsOf(keyBytes(key)), wordsOf(nonce.subarray(0, 16)), derived);
	const rest = new Uint8Array(12);
	rest.set(nonce.subarray(16), 4);
	return [new Uint8Array(derived.buffer), rest];
}

/** As words in the order of this machine, on their own boundary. */
function wordsOf(bytes: Uint8Array): Uint32Array {
	return new Uint32Array(Uint8Array.from(bytes).buffer);
}
