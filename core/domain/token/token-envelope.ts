import type { Random } from '../../base/random';
import { readCipherField, writeCipherField } from '../../crypto/json-forms';
import type { SecretKey } from '../../crypto/keys';
import { decryptText, encrypt, generateSecretKey } from '../../crypto/secret-key';
import type { JsonObject } from '../../model/json';
import { contentSchema, readEnvelopeText, readReceivedContent } from '../envelope/envelope-content';

/** Token ready for upload; its reference contains `secretKey`. */
export interface SealedToken {
	readonly content: string;
	readonly secretKey: SecretKey;
}

/**
 * Encrypts the content with a new key; tokens are not signed
 * (docs/protocol/crypto-and-identity.md 5.5).
 */
export function sealToken(content: JsonObject, random: Random): SealedToken {
	const secretKey = generateSecretKey(random);
	return { content: sealTokenWith(content, secretKey, random), secretKey };
}

/** Encrypts the content with the key of a reference that existed before. */
export function sealTokenWith(content: JsonObject, secretKey: SecretKey, random: Random): string {
	return writeCipherField(encrypt(secretKey, JSON.stringify(content), random));
}

/**
 * @param field `content` of the Backbone's token
 * @throws `error.crypto.encryption.decrypt`
 * @throws `error.runtime.unknownType`, `error.runtime.servalError`,
 * `error.runtime.requestDeserialization`
 */
export function openToken(field: string, secretKey: SecretKey): JsonObject {
	const text = decryptText(secretKey, readCipherField(field));
	const content = readEnvelopeText(text, contentSchema, 'the content of a token');
	return readReceivedContent(content);
}
