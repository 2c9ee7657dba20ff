import { encodeBase64Url } from '../base/encoding';
import { maxCounter, type Cipher } from './cipher';
import { cryptoErrors } from './crypto-errors';
import type { Nonce, SecretKey } from './keys';
import { keyBytes } from './keys';
import { decryptBytes, encryptBytes } from './secret-key';

/** Key and base nonce of one direction of a relationship; the store keeps the counters. */
export type Transmission = {
	readonly key: SecretKey;
	readonly nonce: Nonce;
};

/**
 * Encrypts with a counter that the caller has durably reserved and never reuses: a repeated counter
 * would repeat key and nonce.
 *
 * @throws `error.crypto.encryption.wrongCounter` outside 0..4294967295
 * @see docs/protocol/crypto-and-identity.md 7
 */
export function encryptWithCounter(
	transmission: Transmission,
	plaintext: string | Uint8Array,
	counter: number,
): Cipher {
	const nonce = counterNonce(keyBytes(transmission.nonce), counter);
	const ciphertext = encryptBytes(transmission.key, plaintext, nonce);
	return { cph: encodeBase64Url(ciphertext), alg: 3, cnt: counter };
}

/**
 * Decrypts with the counter in the cipher. Order, gaps and repetitions are not checked, because
 * official software always sends counter 0. Suits received ciphers with the receiving direction,
 * and own ciphers with the transmitting direction.
 *
 * @throws `error.crypto.encryption.wrongCounter` for a cipher without a counter
 * @throws `error.crypto.encryption.decrypt`
 */
export function decryptWithCounter(transmission: Transmission, cipher: Cipher): Uint8Array {
	if (cipher.cnt === undefined) throw wrongCounter('none');
	const nonce = counterNonce(keyBytes(transmission.nonce), cipher.cnt);
	return decryptBytes(transmission.key, cipher, nonce);
}

/** Adds the counter to the last four bytes, little endian; a final carry is dropped. */
export function counterNonce(baseNonce: Uint8Array, counter: number): Uint8Array {
	if (!Number.isInteger(counter) || counter < 0 || counter > maxCounter) {
		throw wrongCounter(String(counter));
	}
	const nonce = Uint8Array.from(baseNonce);
	const tail = new DataView(nonce.buffer, 20, 4);
	tail.setUint32(0, (tail.getUint32(0, true) + counter) % 2 ** 32, true);
	return nonce;
}

function wrongCounter(found: string): Error {
	const message = `Expected a counter from 0 to ${maxCounter}, found ${found}`;
	return cryptoErrors.create('wrongCounter', { message });
}
