import { encodeBase64Url } from '../base/encoding';
import { cryptoErrors } from './crypto-errors';
import type { Cipher } from './json-forms';
import type { Nonce, SecretKey } from './keys';
import { keyBytes } from './keys';
import { decryptBytes, encryptBytes } from './secret-key';

/** Key and base nonce of one direction of a relationship; counters are kept by the store. */
export type Transmission = {
	readonly key: SecretKey;
	readonly nonce: Nonce;
};

/** The highest counter; a direction that has used it can never encrypt again. */
export const maxCounter = 0xffffffff;

/**
 * Encrypts with a counter that the caller has reserved durably and never uses again: the same
 * counter twice would be the same key and nonce twice.
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
 * Decrypts at the counter that the cipher names. Order, gaps and repetitions are not checked:
 * official software sends counter 0 every time. Works for received ciphers with the receiving
 * direction and for own ones with the transmitting direction.
 *
 * @throws `error.crypto.encryption.wrongCounter` for a cipher without a counter
 * @throws `error.crypto.encryption.decrypt`
 */
export function decryptWithCounter(transmission: Transmission, cipher: Cipher): Uint8Array {
	if (cipher.cnt === undefined) throw wrongCounter('none');
	const nonce = counterNonce(keyBytes(transmission.nonce), cipher.cnt);
	return decryptBytes(transmission.key, cipher, nonce);
}

/** Adds the counter to the last four bytes, little endian; the carry out of them is dropped. */
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
