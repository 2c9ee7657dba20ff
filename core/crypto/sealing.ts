import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Cancellable } from '../base/abort';
import { decodeUtf8, encodeBase64Url, encodeUtf8 } from '../base/encoding';
import type { Random } from '../base/random';
import { cryptoErrors } from './crypto-errors';
import { hashPassword, passwordHashCost } from './password-hash';
import { sodium } from './sodium';

/**
 * Encryption at rest: the secret text of a row is sealed with the store's key and bound to its
 * table and id, so that it cannot be opened in another row (docs/adr/0005).
 */
const storeKeyLength = 32;
const nonceLength = 24;

/** Key of 32 bytes, in memory only; a class, so that neither JSON nor logs contain it. */
export class StoreKey {
	readonly #bytes: Uint8Array;

	#hashKey: KeyObject | undefined;

	/** @throws `error.crypto.sealing.wrongKeyFile` unless there are 32 bytes */
	constructor(bytes: Uint8Array) {
		if (bytes.length !== storeKeyLength) {
			const message = `Expected a key of 32 bytes, found ${bytes.length}`;
			throw cryptoErrors.create('wrongKeyFile', { message });
		}
		this.#bytes = Uint8Array.from(bytes);
	}

	/** Returns the bytes to the sealing functions of this file. */
	static bytesOf(key: StoreKey): Uint8Array {
		return key.#bytes;
	}

	/** Returns a separate key for hashing. A KeyObject avoids importing the bytes for every hash. */
	static hashKeyOf(key: StoreKey): KeyObject {
		key.#hashKey ??= createSecretKey(
			createHmac('sha256', key.#bytes).update('keyed hashes').digest(),
		);
		return key.#hashKey;
	}
}

/** Position of a sealed text. */
export interface SealedPlace {
	readonly table: string;
	readonly id: string;
	/** absent for the secrets of a row */
	readonly part?: 'document';
}

export function generateSalt(random: Random): Uint8Array {
	return random.bytes(passwordHashCost.saltLength);
}

/** Generates the content of a key file. */
export function generateKeyFile(random: Random): Uint8Array {
	return random.bytes(storeKeyLength);
}

/** @throws `error.crypto.sealing.wrongKeyFile` unless the file holds 32 bytes */
export function storeKeyFromFile(content: Uint8Array): StoreKey {
	return new StoreKey(content);
}

/**
 * @param salt 16 random bytes that are stored beside the sealed rows
 * @throws `error.crypto.wrongSerializedBuffer` for a salt of another length
 */
export async function deriveStoreKey(
	passphrase: string,
	salt: Uint8Array,
	options: Cancellable = {},
): Promise<StoreKey> {
	return new StoreKey(await hashPassword(passphrase, salt, options));
}

/** Seals text; requires `loadSodium()`. The result is base64url of nonce and ciphertext. */
export function sealText(key: StoreKey, text: string, place: SealedPlace, random: Random): string {
	const nonce = random.bytes(nonceLength);
	const ciphertext = sodium().crypto_aead_xchacha20poly1305_ietf_encrypt(
		encodeUtf8(text),
		bindingOf(place),
		null,
		nonce,
		StoreKey.bytesOf(key),
	);
	const sealed = new Uint8Array(nonceLength + ciphertext.length);
	sealed.set(nonce);
	sealed.set(ciphertext, nonceLength);
	return encodeBase64Url(sealed);
}

/** @throws `error.crypto.sealing.cannotOpen` for another key, another place or altered text */
export function openText(key: StoreKey, sealed: string, place: SealedPlace): string {
	// The lenient decoder suffices, because altered text fails authentication, and is faster for
	// lists.
	const bytes = Buffer.from(sealed, 'base64url');
	try {
		const plaintext = sodium().crypto_aead_xchacha20poly1305_ietf_decrypt(
			null,
			bytes.subarray(nonceLength),
			bindingOf(place),
			bytes.subarray(0, nonceLength),
			StoreKey.bytesOf(key),
		);
		const text = decodeUtf8(plaintext);
		if (text === undefined) throw new TypeError('not UTF-8');
		return text;
	} catch (cause) {
		const message = `Expected a secret of ${place.table} that this key opens, found another`;
		throw cryptoErrors.create('unseal', { message, cause, facts: { table: place.table } });
	}
}

const keptOfHash = 22;

/**
 * Keyed hash (HMAC-SHA-256, truncated to 128 bits) by which equal texts of a column are found.
 * Without the key, texts cannot be guessed.
 */
export function hashText(
	key: StoreKey,
	text: string,
	place: { readonly table: string; readonly column: string },
): string {
	const hmac = createHmac('sha256', StoreKey.hashKeyOf(key));
	hmac.update(JSON.stringify([place.table, place.column])).update(text);
	return hmac.digest('base64url').slice(0, keptOfHash);
}

/** Unambiguous encoding of the position, distinct from all data that the protocol encrypts. */
function bindingOf({ table, id, part }: SealedPlace): Uint8Array {
	const place = part === undefined ? [table, id] : [table, id, part];
	return Buffer.from(JSON.stringify(['sealed', 1, ...place]));
}
