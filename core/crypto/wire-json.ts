import { decodeBase64Url, decodeUtf8, encodeBase64Url, encodeUtf8 } from '../base/encoding';
import type { Json } from '../model/json';
import { cryptoErrors } from './crypto-errors';

/** Deeper objects are refused: official contents stay below 20, and writers recurse. */
const maxDepth = 64;

/**
 * The form in which ciphers, signatures and keys stand in Backbone fields: base64url of the UTF-8
 * JSON text. With a type, `@type` is written last, as official software does.
 *
 * @see docs/protocol/crypto-and-identity.md 1, 3
 */
export function writeBase64Form(value: object, type?: string): string {
	const typed = type === undefined ? value : { ...value, '@type': type };
	return encodeBase64Url(encodeUtf8(JSON.stringify(typed)));
}

/**
 * @param what names the object in the error message
 * @throws `error.crypto.wrongSerializedBuffer` when it is not base64url of JSON
 */
export function readBase64Form(text: string, what: string): Json {
	const bytes = decodeBase64Url(text);
	const json = bytes === undefined ? undefined : decodeUtf8(bytes);
	const value = json === undefined ? undefined : parseWireJson(json);
	if (value !== undefined) return value;
	const message = `Expected ${what} as base64url of JSON, found something else`;
	throw cryptoErrors.create('wrongBytes', { message });
}

/**
 * Parses JSON that a peer wrote; `undefined` when it is none or too deep. Members named `__proto__`
 * are dropped, so that later copies cannot change a prototype.
 */
export function parseWireJson(text: string): Json | undefined {
	try {
		const value = JSON.parse(text) as Json;
		return isHarmless(value, 0) ? value : undefined;
	} catch {
		return undefined;
	}
}

function isHarmless(value: Json, depth: number): boolean {
	if (typeof value !== 'object' || value === null) return true;
	if (depth >= maxDepth) return false;
	if (Array.isArray(value)) return value.every((entry) => isHarmless(entry, depth + 1));
	if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
	return Object.values(value).every((member) => isHarmless(member, depth + 1));
}
