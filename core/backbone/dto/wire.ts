import * as z from 'zod';
import { parseInstant } from '../../model/instant';

/**
 * 10 MiB: limit for contents of templates, relationships, messages, tokens and files (backbone-api
 * 20).
 */
export const maxContentBytes = 10 * 1024 * 1024;

const byteText = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Number of bytes that a base64 or base64url text encodes. */
export function decodedLength(text: string): number {
	let length = text.length;
	while (length > 0 && text.charCodeAt(length - 1) === 0x3d) length--;
	return Math.floor((length * 3) / 4);
}

/**
 * Opaque bytes in either base64 alphabet; servers write base64url without padding. The pattern is
 * checked here because the decoder skips invalid characters silently. The default is the limit of
 * contents, a few of which fit into memory at once.
 */
export function bytesSchema(minBytes: number, maxBytes = maxContentBytes) {
	return z
		.string()
		.max(Math.ceil(maxBytes / 3) * 4)
		.regex(byteText, 'expected base64 or base64url')
		.refine((text) => {
			const length = decodedLength(text);
			return length >= minBytes && length <= maxBytes;
		}, `expected ${minBytes} to ${maxBytes} bytes`);
}

/*
 * Schemas of ids by prefix: many bodies contain ids of the same kind, so each schema is built once.
 */
const idSchemas = new Map<string, z.ZodString>();

/**
 * Id of an object (`docs/protocol/backbone-api.md` 2.7: three letters and up to 17 letters or
 * digits). It is inserted into paths of URLs, references and messages to peers.
 */
export function idSchema(prefix: string): z.ZodString {
	let schema = idSchemas.get(prefix);
	if (schema === undefined) idSchemas.set(prefix, (schema = makeIdSchema(prefix)));
	return schema;
}

function makeIdSchema(prefix: string): z.ZodString {
	return z.string().regex(new RegExp(`^${prefix}[A-Za-z0-9]{1,17}$`), `expected an id ${prefix}…`);
}

/**
 * Checks form and length only; `core/model` checks checksum and host. The address is inserted into
 * paths of URLs and selects the peer whose keys are used.
 */
export const addressSchema = z
	.string()
	.max(80)
	.regex(/^did:e:[A-Za-z0-9.-]+:dids:[0-9a-f]{22}$/, 'expected an address did:e:…');

/** Reads an ISO 8601 date-time of any precision and returns the canonical form that is stored. */
export const instantSchema = z.string().transform((text, context): string => {
	const instant = /^\d{4}-\d{2}-\d{2}T/.test(text) ? parseInstant(text) : undefined;
	if (instant !== undefined) return instant;
	context.addIssue({ code: 'custom', message: 'expected an ISO 8601 date-time' });
	return z.NEVER;
});

export const optionalAddressSchema = addressSchema.nullish();

/** Opaque text, kept unchanged; bounded, so that records stay small. */
export const textSchema = z.string().max(1_000);

/** Text for display only: absent if it is unreadable. */
export const shownTextSchema = textSchema.nullish().catch(undefined);

/** Device that created an object, for records that require a text: empty if it is unreadable. */
export const deviceTextSchema = textSchema.catch('');

/** Id of a device or an event: never part of a path, only stored and sent back. */
export const nameSchema = textSchema.min(1);

/**
 * Whole number, also as text, because servers have written some numbers both ways.
 * Callers calculate with it.
 */
export function numberSchema(min: number, max: number) {
	return z
		.union([
			z.number(),
			z
				.string()
				.regex(/^\d{1,16}$/)
				.transform(Number),
		])
		.pipe(z.number().int().min(min).max(max));
}

export const optionalInstantSchema = instantSchema.nullish();

/** Date for display only: absent if it is unreadable. */
export const shownInstantSchema = optionalInstantSchema.catch(undefined);

/** Password hash as it is sent: 1 to 200 bytes (`docs/protocol/backbone-api.md` 2.6, 13.1). */
export const passwordBytesSchema = bytesSchema(1, 200);

export const contentBytesSchema = bytesSchema(0);

export const createdObjectSchema = <Prefix extends string>(prefix: Prefix) =>
	z.object({ id: idSchema(prefix), createdAt: instantSchema });
