import { decodeBase64Url, decodeUtf8, encodeBase64Url, encodeUtf8 } from '../base/encoding';
import { readUntrustedJson } from '../base/untrusted-json';
import type { Json } from '../model/json';
import { cryptoErrors } from './crypto-errors';

/** Limit of nesting: official contents stay below 20, and writers are recursive. */
const maxDepth = 64;

/**
 * Writes a cipher, signature or key for a Backbone field: base64url of its UTF-8 JSON text. A type
 * is written as `@type` in last position, as official software does.
 *
 * @see docs/protocol/crypto-and-identity.md 1, 3
 */
export function writeBase64Form(value: object, type?: string): string {
	const typed = type === undefined ? value : { ...value, '@type': type };
	return encodeBase64Url(encodeUtf8(JSON.stringify(typed)));
}

/**
 * @param what noun for the error message
 * @throws `error.crypto.wrongSerializedBuffer` if the text is not base64url of JSON
 */
export function readBase64Form(text: string, what: string): Json {
	const bytes = decodeBase64Url(text);
	const json = bytes === undefined ? undefined : decodeUtf8(bytes);
	const value = json === undefined ? undefined : parseWireJson(json);
	if (value !== undefined) return value;
	const message = `Expected ${what} as base64url of JSON, found something else`;
	throw cryptoErrors.create('wrongBytes', { message });
}

/** The JSON that a peer wrote; `undefined` when it is none or too deep. */
export function parseWireJson(text: string): Json | undefined {
	return readUntrustedJson(text, { maxDepth });
}
