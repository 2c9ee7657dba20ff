import * as z from 'zod';
import { isGatewayError } from '../../base/errors';
import { parseWireJson } from '../../crypto/wire-json';
import { parseReceivedContent } from '../../model/content/content-registry';
import { isKnownContentType } from '../../model/content/content-types';
import type { JsonObject } from '../../model/json';
import { jsonObjectSchema } from '../../model/json';
import { envelopeErrors } from './envelope-errors';

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
 * Content of an open kind in its normal form: plain objects untouched, known types within their limits
 * and without unknown members. Limits hold for peers as for us (docs/protocol/content.md 4.2).
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
 * Content of which only the type has to be known, because whatever is wrong inside must not hold up
 * the object around it. A version other than 1 is an unknown type.
 *
 * @throws `error.runtime.unknownType`
 */
export function requireKnownContent(content: JsonObject): JsonObject {
	const own = (name: string): unknown => (Object.hasOwn(content, name) ? content[name] : undefined);
	const type = own('@type');
	if (type === undefined) return content;
	const version = own('@version') ?? 1;
	if (typeof type === 'string' && version === 1 && isKnownContentType(type)) return content;
	const shown = typeof type === 'string' ? type.slice(0, 100) : typeof type;
	const message = `Expected content of a known type, found ${shown}`;
	throw envelopeErrors.create('unknownType', { message, facts: { type: shown } });
}

export const contentSchema = jsonObjectSchema;

/** Text with an upper bound, so that one member cannot fill the store. */
export const shortText = z.string().max(1_000);
