import * as z from 'zod';
import { safeParse } from '../../base/schema-parse';
import { isGatewayError } from '../../base/errors';
import { parseWireJson } from '../../crypto/wire-json';
import { parseReceivedContent } from '../../model/content/content-registry';
import { isKnownContentType } from '../../model/content/content-types';
import type { JsonObject } from '../../model/json';
import { jsonObjectSchema, ownMember } from '../../model/json';
import { envelopeErrors } from './envelope-errors';

/**
 * Parses the text inside a cipher with the schema of the expected class. The top-level `@type` and
 * unknown members are ignored.
 *
 * @throws `error.runtime.requestDeserialization`
 * @see docs/protocol/crypto-and-identity.md 4
 */
export function readEnvelopeText<Value>(
	text: string,
	schema: z.ZodType<Value>,
	what: string,
): Value {
	return readEnvelopeValue(parseWireJson(text), schema, what);
}

/** Reads a parsed value with the schema of the expected class. */
export function readEnvelopeValue<Value>(
	value: unknown,
	schema: z.ZodType<Value>,
	what: string,
): Value {
	const result = safeParse(schema, value);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const place = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.join('.');
	const message = `Expected ${what}, but ${place} is not readable: ${issue?.message ?? 'unknown'}`;
	throw envelopeErrors.create('notReadable', { message, cause: result.error });
}

/**
 * Normalises content of an open kind: plain objects stay unchanged; content of a known type is
 * checked against its limits and loses unknown members. The limits apply to peers and to this
 * account alike (docs/protocol/content.md 4.2).
 *
 * @throws `error.runtime.unknownType`, `error.runtime.servalError`,
 * `error.runtime.requestDeserialization`
 */
export function readReceivedContent(content: JsonObject): JsonObject {
	try {
		return parseReceivedContent(content);
	} catch (error) {
		if (!isGatewayError(error)) throw error;
		const { code, message, facts } = error;
		const { unknownType, servalError } = envelopeErrors;
		const name =
			code === unknownType.code
				? 'unknownType'
				: code === servalError.code
					? 'servalError'
					: 'notReadable';
		throw envelopeErrors.create(name, { message, facts, cause: error });
	}
}

/**
 * Checks only the type of the content, because a fault inside it must not block the object around
 * it. A version other than 1 counts as an unknown type.
 *
 * @throws `error.runtime.unknownType`
 */
export function requireKnownContent(content: JsonObject): JsonObject {
	const type = ownMember(content, '@type');
	if (type === undefined) return content;
	const version = ownMember(content, '@version') ?? 1;
	if (typeof type === 'string' && version === 1 && isKnownContentType(type)) return content;
	const shown = typeof type === 'string' ? type.slice(0, 100) : typeof type;
	const message = `Expected content of a known type, found ${shown}`;
	throw envelopeErrors.create('unknownType', { message, facts: { type: shown } });
}

export const contentSchema = jsonObjectSchema;

/** Text with an upper bound, so that one member cannot fill the store. */
export const shortText = z.string().max(1_000);
