import { z } from 'zod';
import { parseWireJson } from '../../crypto/wire-json';
import type { JsonObject } from '../../model/json';
import { jsonObjectSchema } from '../../model/json';
import { envelopeErrors } from './envelope-errors';

/** Decides whether a content type is one that this side can read. */
export type IsKnownContentType = (type: string) => boolean;

/**
 * Parses the text inside a cipher and reads it with the schema of the expected class. `@type` at the
 * top is ignored, unknown members too.
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

/** The same for a value that was parsed already. */
export function readEnvelopeValue<Value>(
	value: unknown,
	schema: z.ZodType<Value>,
	what: string,
): Value {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const place = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.join('.');
	const message = `Expected ${what}, but ${place} is not readable: ${issue?.message ?? 'unknown'}`;
	throw envelopeErrors.create('notReadable', { message, cause: result.error });
}

/**
 * Content of an open kind. Without `@type` it is a plain object; with one the type must be known, and
 * a version other than 1 is an unknown type.
 *
 * @throws `error.runtime.unknownType`
 */
export function requireKnownContent(content: JsonObject, isKnown: IsKnownContentType): JsonObject {
	const own = (name: string): unknown => (Object.hasOwn(content, name) ? content[name] : undefined);
	const type = own('@type');
	if (type === undefined) return content;
	const version = own('@version') ?? 1;
	if (typeof type === 'string' && version === 1 && isKnown(type)) return content;
	const shown = typeof type === 'string' ? type.slice(0, 100) : typeof type;
	const message = `Expected content of a known type, found ${shown}`;
	throw envelopeErrors.create('unknownType', { message, facts: { type: shown } });
}

export const contentSchema = jsonObjectSchema;

/** Text with an upper bound, so that one member cannot fill the store. */
export const shortText = z.string().max(1_000);
