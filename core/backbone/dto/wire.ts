import * as z from 'zod';
import { parseInstant } from '../../model/instant';

/** 10 MiB: contents of templates, relationships, messages, tokens and files (backbone-api 20). */
export const maxContentBytes = 10 * 1024 * 1024;

const byteText = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** How many bytes a base64 or base64url text stands for. */
export function decodedLength(text: string): number {
	let length = text.length;
	while (length > 0 && text.charCodeAt(length - 1) === 0x3d) length--;
	return Math.floor((length * 3) / 4);
}

/**
 * Opaque bytes: both base64 alphabets are read, base64url without padding is what servers write. They
 * are decoded here, and the decoder would leave other characters out without a word. The default
 * bound is that of contents, which fit into memory a few times.
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

/* Each kind of id stands in many bodies; its schema is made once. */
const idSchemas = new Map<string, z.ZodString>();

/**
 * The name of an object (`docs/protocol/backbone-api.md` 2.7: three letters and up to 17 letters or
 * digits). It goes into the paths of URLs, references and messages to peers.
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
 * Form and length only; checksum and host are the business of `core/model`. It goes into the paths of
 * URLs, and tells the peer whose keys are used.
 */
export const addressSchema = z
	.string()
	.max(80)
	.regex(/^did:e:[A-Za-z0-9.-]+:dids:[0-9a-f]{22}$/, 'expected an address did:e:…');

/** An ISO 8601 date-time in any precision; in the one form that everything else is kept in. */
export const instantSchema = z.string().transform((text, context): string => {
	const instant = /^\d{4}-\d{2}-\d{2}T/.test(text) ? parseInstant(text) : undefined;
	if (instant !== undefined) return instant;
	context.addIssue({ code: 'custom', message: 'expected an ISO 8601 date-time' });
	return z.NEVER;
});

export const optionalAddressSchema = addressSchema.nullish();

/** A text without a meaning for us, kept as it came: bounded, so that a record stays small. */
export const textSchema = z.string().max(1_000);

/** Text that a record only shows: absent when it cannot be read. */
export const shownTextSchema = textSchema.nullish().catch(undefined);

/** The device that created an object, in records that have a text there: empty when it cannot be read. */
export const deviceTextSchema = textSchema.catch('');

/** The name of a device or of an event: never part of a path, only kept and given back. */
export const nameSchema = textSchema.min(1);

/** A whole number, also as text: servers have written some of them both ways. It is counted with. */
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

/** A date that a record only shows: absent when it cannot be read. */
export const shownInstantSchema = optionalInstantSchema.catch(undefined);

/** A password hash on the wire: 1 to 200 bytes (`docs/protocol/backbone-api.md` 2.6, 13.1). */
export const passwordBytesSchema = bytesSchema(1, 200);

export const contentBytesSchema = bytesSchema(0);

export const createdObjectSchema = <Prefix extends string>(prefix: Prefix) =>
	z.object({ id: idSchema(prefix), createdAt: instantSchema });
