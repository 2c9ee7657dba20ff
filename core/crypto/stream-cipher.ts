import {
	createCipheriv,
	createDecipheriv,
	type CipherChaCha20Poly1305,
	type DecipherChaCha20Poly1305,
} from 'node:crypto';
import type { SecretKey } from './keys';
import { keyBytes } from './keys';

/**
 * XChaCha20-Poly1305 piece by piece, for files: libsodium takes a whole message and copies it twice
 * into memory that it never gives back. The extended nonce is spent on a key of its own (HChaCha20),
 * with which Node's cipher does the rest.
 *
 * Source: draft-irtf-cfrg-xchacha-03 2.2, 2.3; docs/protocol/crypto-and-identity.md 2.4
 */
const algorithm = 'chacha20-poly1305';

/** bytes of the tag at the end of a ciphertext */
export const tagLength = 16;

export function startEncryption(key: SecretKey, nonce: Uint8Array): CipherChaCha20Poly1305 {
	const [derived, rest] = spendNonce(key, nonce);
	return createCipheriv(algorithm, derived, rest, { authTagLength: tagLength });
}

/** Plaintext counts only after `final` has accepted the tag. */
export function startDecryption(
	key: SecretKey,
	nonce: Uint8Array,
	tag: Uint8Array,
): DecipherChaCha20Poly1305 {
	const [derived, rest] = spendNonce(key, nonce);
	const decipher = createDecipheriv(algorithm, derived, rest, { authTagLength: tagLength });
	decipher.setAuthTag(tag);
	return decipher;
}

function spendNonce(key: SecretKey, nonce: Uint8Array): [key: Uint8Array, nonce: Uint8Array] {
	if (nonce.length !== 24) throw new TypeError('The nonce of a stream has 24 bytes');
	const rest = new Uint8Array(12);
	rest.set(nonce.subarray(16), 4);
	return [hChaCha20(keyBytes(key), nonce.subarray(0, 16)), rest];
}

/* Columns and diagonals of one double round, as indexes into the state. */
const quarters = [
	[0, 4, 8, 12],
	[1, 5, 9, 13],
	[2, 6, 10, 14],
	[3, 7, 11, 15],
	[0, 5, 10, 15],
	[1, 6, 11, 12],
	[2, 7, 8, 13],
	[3, 4, 9, 14],
] as const;

function hChaCha20(key: Uint8Array, nonce: Uint8Array): Uint8Array {
	const input = new DataView(new ArrayBuffer(64));
	const bytes = new Uint8Array(input.buffer);
	bytes.set(Buffer.from('expand 32-byte k', 'latin1'));
	bytes.set(key, 16);
	bytes.set(nonce, 48);
	const state = Uint32Array.from({ length: 16 }, (_, index) => input.getUint32(index * 4, true));
	for (let round = 0; round < 10; round++) {
		for (const [a, b, c, d] of quarters) quarterRound(state, a, b, c, d);
	}
	const output = new DataView(new ArrayBuffer(32));
	for (let index = 0; index < 4; index++) {
		output.setUint32(index * 4, state[index] ?? 0, true);
		output.setUint32(16 + index * 4, state[12 + index] ?? 0, true);
	}
	return new Uint8Array(output.buffer);
}

function quarterRound(state: Uint32Array, a: number, b: number, c: number, d: number): void {
	const step = (sum: number, add: number, rotated: number, bits: number): void => {
		state[sum] = (state[sum] ?? 0) + (state[add] ?? 0);
		const mixed = (state[rotated] ?? 0) ^ (state[sum] ?? 0);
		state[rotated] = (mixed << bits) | (mixed >>> (32 - bits));
	};
	step(a, b, d, 16);
	step(c, d, b, 12);
	step(a, b, d, 8);
	step(c, d, b, 7);
}
