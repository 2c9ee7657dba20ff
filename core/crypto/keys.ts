import type { GatewayError } from '../base/errors';
import { decodeBase64Url } from '../base/encoding';
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
export function asSecretKey(text: string): SecretKey {
	const failure = (message: string): GatewayError =>
		keyErrors.create('wrongSecretKey', { message });
	return checked(text, 32, 'a secret key', failure) as SecretKey;
}

/** @throws `error.crypto.wrongSerializedBuffer` */
export function asSignaturePublicKey(text: string): SignaturePublicKey {
	return checked(text, 32, 'a public signature key') as SignaturePublicKey;
}

/** @throws `error.crypto.wrongSerializedBuffer` */
export function asSignaturePrivateKey(text: string): SignaturePrivateKey {
	return checked(text, 64, 'a private signature key') as SignaturePrivateKey;
}

/** @throws `error.crypto.wrongSerializedBuffer` */
export function asExchangePublicKey(text: string): ExchangePublicKey {
	return checked(text, 32, 'a public exchange key') as ExchangePublicKey;
}

/** @throws `error.crypto.wrongSerializedBuffer` */
export function asExchangePrivateKey(text: string): ExchangePrivateKey {
	return checked(text, 32, 'a private exchange key') as ExchangePrivateKey;
}

/** @throws `error.crypto.wrongSerializedBuffer` */
export function asNonce(text: string): Nonce {
	return checked(text, 24, 'a nonce') as Nonce;
}

/** Decodes a checked text to bytes. */
export function keyBytes(key: KeyText<string>): Uint8Array {
	const bytes = decodeBase64Url(key);
	if (bytes === undefined) throw new TypeError('A key or nonce was branded without being checked');
	return bytes;
}

function checked(
	text: string,
	length: number,
	what: string,
	failure = (message: string): GatewayError => cryptoErrors.create('wrongBytes', { message }),
): string {
	// Three bytes take four characters, so an overlong text is refused without decoding it.
	const fits = typeof text === 'string' && text.length === Math.ceil((length * 4) / 3);
	const bytes = fits ? decodeBase64Url(text) : undefined;
	if (bytes?.length === length) return text;
	const found = typeof text === 'string' ? `${text.length} characters` : typeof text;
	throw failure(`Expected ${what} of ${length} bytes as base64url, found ${found}`);
}
