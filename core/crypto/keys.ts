import type { GatewayError } from '../base/errors';
import { decodeBase64Url, encodeBase64Url } from '../base/encoding';
import { keyErrors } from '../model/key-errors';
import { cryptoErrors } from './crypto-errors';

/**
 * Keys and nonces as base64url text, branded by kind. As plain JSON values they can be stored
 * directly, and a private key can never be passed in place of a public one. A value of these types
 * has passed the check of alphabet and length.
 *
 * Source: docs/protocol/crypto-and-identity.md 2, 3
 */
declare const keyKind: unique symbol;
type KeyText<Kind extends string> = string & { readonly [keyKind]: Kind };

/** 32 bytes, XChaCha20-Poly1305 */
export type SecretKey = KeyText<'SecretKey'>;
/** 32 bytes, Ed25519 */
export type SignaturePublicKey = KeyText<'SignaturePublicKey'>;
/** 64 bytes, Ed25519 seed followed by the public key */
export type SignaturePrivateKey = KeyText<'SignaturePrivateKey'>;
/** 32 bytes, X25519 */
export type ExchangePublicKey = KeyText<'ExchangePublicKey'>;
/** 32 bytes, X25519 */
export type ExchangePrivateKey = KeyText<'ExchangePrivateKey'>;
/** 24 bytes */
export type Nonce = KeyText<'Nonce'>;

/** @throws `error.crypto.encryption.wrongSecretKey` */
export function asSecretKey(text: unknown): SecretKey {
	const failure = (message: string): GatewayError =>
		keyErrors.create('wrongSecretKey', { message });
	return checked(text, 32, 'a secret key', failure);
}

/** @throws `error.crypto.wrongSerializedBuffer` */
export function asSignaturePublicKey(text: unknown): SignaturePublicKey {
	return checked(text, 32, 'a public signature key');
}

/** @throws `error.crypto.wrongSerializedBuffer` */
export function asSignaturePrivateKey(text: unknown): SignaturePrivateKey {
	return checked(text, 64, 'a private signature key');
}

/** @throws `error.crypto.wrongSerializedBuffer` */
export function asExchangePublicKey(text: unknown): ExchangePublicKey {
	return checked(text, 32, 'a public exchange key');
}

/** @throws `error.crypto.wrongSerializedBuffer` */
export function asExchangePrivateKey(text: unknown): ExchangePrivateKey {
	return checked(text, 32, 'a private exchange key');
}

/** @throws `error.crypto.wrongSerializedBuffer` */
export function asNonce(text: unknown): Nonce {
	return checked(text, 24, 'a nonce');
}

/**
 * Encodes bytes that are a key or nonce of the kind that the caller expects: just drawn or
 * computed.
 */
export function encodeKey<Key extends KeyText<string>>(bytes: Uint8Array): Key {
	return branded<Key>(encodeBase64Url(bytes));
}

/** Decodes a checked text to bytes. */
export function keyBytes(key: KeyText<string>): Uint8Array {
	const bytes = decodeBase64Url(key);
	if (bytes === undefined) throw new TypeError('A key or nonce was branded without being checked');
	return bytes;
}

function checked<Key extends KeyText<string>>(
	text: unknown,
	length: number,
	what: string,
	failure = (message: string): GatewayError => cryptoErrors.create('wrongBytes', { message }),
): Key {
	// Three bytes take four characters, so an overlong text is refused without decoding it.
	if (typeof text === 'string' && text.length === Math.ceil((length * 4) / 3)) {
		if (decodeBase64Url(text)?.length === length) return branded<Key>(text);
	}
	const found = typeof text === 'string' ? `${text.length} characters` : typeof text;
	throw failure(`Expected ${what} of ${length} bytes as base64url, found ${found}`);
}

function branded<Key extends KeyText<string>>(text: string): Key {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the brand exists in types only
	return text as Key;
}
