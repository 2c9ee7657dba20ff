import type { Random } from '../../base/random';
import { readCipherField, writeCipherField } from '../../crypto/json-forms';
import type { SecretKey } from '../../crypto/keys';
import { decryptText, encrypt, generateSecretKey } from '../../crypto/secret-key';
import type { JsonObject } from '../../model/json';
import { contentSchema, readEnvelopeText, readReceivedContent } from '../envelope/envelope-content';

/** A token ready to be posted; `secretKey` travels in its reference. */
export interface SealedToken {
	readonly content: string;
	readonly secretKey: SecretKey;
}

/** Encrypted only: nobody signs a token. docs/protocol/crypto-and-identity.md 5.5 */
export function sealToken(content: JsonObject, random: Random): SealedToken {
	const secretKey = generateSecretKey(random);
	const cipher = encrypt(secretKey, JSON.stringify(content), random);
	return { content: writeCipherField(cipher), secretKey };
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
