import * as z from 'zod';
import { decodeBase64Url } from '../base/encoding';
import { isJsonObject, ownMember } from '../model/json';
import { keyErrors } from '../model/key-errors';
import { maxCounter, type Cipher } from './cipher';
import { cryptoErrors } from './crypto-errors';
import { readBase64Form, writeBase64Form } from './wire-json';
import type { ExchangePublicKey, SecretKey, SignaturePublicKey } from './keys';
import { asExchangePublicKey, asSecretKey, asSignaturePublicKey } from './keys';

/*
 * JSON forms of keys, ciphers and signatures. Writers emit the short names in the official order;
 * readers accept short and long names, ignore unknown members and refuse invalid ones.
 *
 * Source: docs/protocol/crypto-and-identity.md 3, 4
 */

export interface Signature {
	/** base64url of 64 bytes */
	readonly sig: string;
	/** label of a hash algorithm, without effect */
	readonly alg: 1 | 2 | 3;
}

export interface SecretKeyJson {
	readonly key: string;
	readonly alg: 3;
}

export interface PublicKeyJson {
	readonly pub: string;
	readonly alg: 3;
}

/** limit of 100 MiB, in base64url characters */
const maxCiphertextLength = Math.ceil((100 * 1024 * 1024 * 4) / 3);

export const writeSecretKey = (key: SecretKey): SecretKeyJson => ({ key, alg: 3 });

export const writePublicKey = (pub: SignaturePublicKey | ExchangePublicKey): PublicKeyJson => ({
	pub,
	alg: 3,
});

/**
 * @throws `error.crypto.wrongEncryptionAlgorithm`
 * @throws `error.crypto.encryption.wrongSecretKey`
 */
export function readSecretKey(value: unknown): SecretKey {
	const member = memberReader(value, 'a secret key');
	requireEncryptionAlgorithm(member('alg', 'algorithm'));
	return asSecretKey(member('key', 'secretKey'));
}

/**
 * @throws `error.crypto.signature.wrongAlgorithm`
 * @throws `error.crypto.wrongSerializedBuffer`
 */
export function readSignaturePublicKey(value: unknown): SignaturePublicKey {
	const member = memberReader(value, 'a public signature key');
	if (member('alg', 'algorithm') !== 3) {
		const message = 'Expected a signature key of algorithm 3 (Ed25519), found another';
		throw cryptoErrors.create('wrongSignatureAlgorithm', { message });
	}
	return asSignaturePublicKey(member('pub', 'publicKey'));
}

/**
 * @throws `error.crypto.exchange.wrongExchangeAlgorithm`
 * @throws `error.crypto.wrongSerializedBuffer`
 */
export function readExchangePublicKey(value: unknown): ExchangePublicKey {
	const member = memberReader(value, 'a public exchange key');
	if (member('alg', 'algorithm') !== 3) {
		const message = 'Expected an exchange key of algorithm 3 (X25519), found another';
		throw cryptoErrors.create('wrongExchangeAlgorithm', { message });
	}
	return asExchangePublicKey(member('pub', 'publicKey'));
}

/**
 * @throws `error.crypto.hash.wrongHashAlgorithm` for a label other than 1, 2 and 3
 * @throws `error.crypto.wrongSerializedBuffer`
 */
export function readSignature(value: unknown): Signature {
	const member = memberReader(value, 'a signature');
	const alg = member('alg', 'algorithm');
	if (alg !== 1 && alg !== 2 && alg !== 3) {
		const message = 'Expected a signature with label 1, 2 or 3, found another';
		throw cryptoErrors.create('wrongHashLabel', { message });
	}
	const sig = member('sig', 'signature');
	if (typeof sig !== 'string' || sig.length > 1024 || decodeBase64Url(sig) === undefined) {
		throw unreadable('a signature as base64url');
	}
	return { sig, alg };
}

/**
 * Reads a cipher. Its nonce may have 12 to 24 bytes, as official readers allow; decryption demands
 * 24.
 *
 * @throws `error.crypto.wrongEncryptionAlgorithm`
 * @throws `error.crypto.validation.nonceAndCounter`, also when one of them is null
 * @throws `error.crypto.validation.noNonceNorCounter`
 * @throws `error.crypto.encryption.wrongCounter`
 * @throws `error.crypto.wrongSerializedBuffer`
 */
export function readCipher(value: unknown): Cipher {
	const member = memberReader(value, 'a cipher');
	requireEncryptionAlgorithm(member('alg', 'algorithm'));
	const cph = member('cph', 'cipher');
	if (typeof cph !== 'string' || cph.length < 3 || cph.length > maxCiphertextLength) {
		throw unreadable('a ciphertext of 2 bytes to 100 MiB');
	}
	const nnc = member('nnc', 'nonce');
	const cnt = member('cnt', 'counter');
	if (nnc !== undefined && cnt !== undefined) {
		const message = 'Expected a cipher with a nonce or a counter, found both';
		throw cryptoErrors.create('nonceAndCounter', { message });
	}
	if (nnc !== undefined) return { cph, alg: 3, nnc: requireNonce(nnc) };
	if (cnt !== undefined) return { cph, alg: 3, cnt: requireCounter(cnt) };
	const message = 'Expected a cipher with a nonce or a counter, found neither';
	throw cryptoErrors.create('noNonceNorCounter', { message });
}

/** Reader for a nested object, whose `@type` must be absent or one of the given types. */
export function nested<Value>(
	types: readonly string[],
	read: (value: unknown) => Value,
): z.ZodType<Value> {
	return z.unknown().transform((value): Value => {
		const type = memberReader(value, types[0] ?? 'an object')('@type', '@type');
		if (type === undefined || types.some((one) => one === type)) return read(value);
		throw unreadable(`an object of type ${types.join(' or ')}`);
	});
}

export const cipherSchema = nested(['CryptoCipher'], readCipher);
export const signatureSchema = nested(['CryptoSignature'], readSignature);
export const secretKeySchema = nested(['CryptoSecretKey'], readSecretKey);
export const signaturePublicKeySchema = nested(
	['CryptoSignaturePublicKey'],
	readSignaturePublicKey,
);
export const exchangePublicKeySchema = nested(
	['CryptoExchangePublicKey', 'RelationshipTemplatePublicKey'],
	readExchangePublicKey,
);

/* Base64 forms for the fields of the Backbone. */
export const writeCipherField = (cipher: Cipher): string => writeBase64Form(cipher, 'CryptoCipher');
export const readCipherField = (text: string): Cipher =>
	readCipher(readBase64Form(text, 'a cipher'));
export const writeSignatureField = (signature: Signature): string =>
	writeBase64Form(signature, 'CryptoSignature');
export const readSignatureField = (text: string): Signature =>
	readSignature(readBase64Form(text, 'a signature'));
/** Writes `identityPublicKey` for the creation of an identity. */
export const writePublicKeyField = (key: SignaturePublicKey): string =>
	writeBase64Form(writePublicKey(key), 'CryptoSignaturePublicKey');
/** Writes the `publicKey` that callers receive (docs/protocol/http-api.md 7): without `@type`. */
export const writePublicKeyDto = (key: SignaturePublicKey): string =>
	writeBase64Form(writePublicKey(key));

type MemberReader = (short: string, long: string) => unknown;

/** Reads own properties only, so that a prototype cannot provide one. */
export function memberReader(value: unknown, what: string): MemberReader {
	if (!isJsonObject(value)) throw unreadable(what);
	return (short, long) =>
		ownMember(value, short) ?? (Object.hasOwn(value, short) ? null : ownMember(value, long));
}

function requireEncryptionAlgorithm(alg: unknown): void {
	if (alg === 3) return;
	const message = 'Expected encryption algorithm 3 (XChaCha20-Poly1305), found another';
	throw keyErrors.create('wrongAlgorithm', { message });
}

function requireNonce(nnc: unknown): string {
	if (typeof nnc === 'string' && nnc.length <= 64) {
		const length = decodeBase64Url(nnc)?.length ?? 0;
		if (length >= 12 && length <= 24) return nnc;
	}
	throw unreadable('a nonce of 12 to 24 bytes');
}

function requireCounter(cnt: unknown): number {
	if (typeof cnt === 'number' && Number.isInteger(cnt) && cnt >= 0 && cnt <= maxCounter) return cnt;
	const message = `Expected a counter from 0 to ${maxCounter}, found another value`;
	throw cryptoErrors.create('wrongCounter', { message });
}

export function unreadable(expected: string): Error {
	const message = `Expected ${expected}, found something else`;
	return cryptoErrors.create('wrongBytes', { message });
}
