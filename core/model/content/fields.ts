import { z } from 'zod';
import { instantSchema } from '../instant';
import type { Json, JsonObject } from '../json';
import { isKnownContentType } from './content-types';

/*
 * The kinds of fields of docs/protocol/content.md 2.2: what each accepts, how it is written.
 */
export const textField = (max?: number, min?: number): z.ZodType<string> => {
	let schema = z.string();
	if (max !== undefined) schema = schema.max(max);
	return min === undefined ? schema : schema.min(min);
};

const wrapped = <Name extends string>(name: Name, type: string) =>
	z
		.object({ '@type': z.literal(type).optional(), [name]: z.string() })
		.transform((value) => (value as Record<string, string>)[name] ?? '');

export const idField = z.union([z.string(), wrapped('id', 'CoreId')]);
export const addressField = z.union([z.string(), wrapped('address', 'CoreAddress')]);

export const dateField = z.union([
	instantSchema,
	z
		.object({ '@type': z.literal('CoreDate').optional(), date: instantSchema })
		.transform(({ date }) => date),
	z
		.number()
		.int()
		.min(-8_640_000_000_000_000)
		.max(8_640_000_000_000_000)
		.transform((epochMs) => new Date(epochMs).toISOString()),
]);

/** Any JSON object, untouched. */
export const objectField = z.custom<JsonObject>(
	(value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	'expected an object',
);

/** Any JSON value but null, untouched. */
export const anyField = z.custom<Json>(
	(value) => value !== null && value !== undefined,
	'expected a value',
);

/** Unique, at most 20, each at most 250 long (content.md 7.7). */
export const tagsField = z.array(z.string()).superRefine((tags, context) => {
	const problem =
		new Set(tags).size !== tags.length
			? 'tags must differ from each other'
			: tags.length > 20
				? 'at most 20 tags'
				: tags.some((tag) => tag.length > 250)
					? 'a tag has at most 250 characters'
					: undefined;
	if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

/** Members in the order of code units, absent ones left out (content.md 2.6). */
export function sorted(value: object): JsonObject {
	const entries = Object.entries(value as JsonObject).filter(([, member]) => member !== undefined);
	return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export interface ContentType {
	readonly name: string;
	/** reads members; the output has none of `@type` */
	readonly members: z.ZodType<JsonObject>;
}

/** A type with fixed members; unknown ones are dropped. */
export function contentType(
	name: string,
	shape: z.ZodRawShape,
	afterParsing?: (value: JsonObject, report: (message: string, member: string) => void) => void,
): ContentType {
	const members = z
		.object(shape)
		.superRefine((value, context) => {
			afterParsing?.(value as JsonObject, (message, member) => {
				context.addIssue({ code: 'custom', message, path: [member] });
			});
		})
		.transform((value) => sorted(value));
	return { name, members: members as unknown as z.ZodType<JsonObject> };
}

/** A type of which only the name is known here: its members are kept as they are. */
export function namedType(name: string): ContentType {
	const members = objectField.transform((value) => {
		const { '@type': _type, ...rest } = value;
		return sorted(rest);
	});
	return { name, members };
}

/** A position that fixes the type: `@type` may be missing and is not written. */
export function fixed(type: () => ContentType): z.ZodType<JsonObject> {
	return z.unknown().transform((value, context): JsonObject => {
		const found = isObject(value) && Object.hasOwn(value, '@type') ? value['@type'] : undefined;
		if (isObject(value) && (found === undefined || found === '' || found === type().name)) {
			return readMembers(type(), value, context);
		}
		addTypeIssue(context, isObject(value) ? found : undefined);
		return z.NEVER;
	});
}

/** A position that several types may take: `@type` decides and is written. */
export function tagged(types: () => readonly ContentType[]): z.ZodType<JsonObject> {
	return z.unknown().transform((value, context): JsonObject => {
		if (!isObject(value)) {
			context.addIssue({ code: 'custom', message: 'expected an object' });
			return z.NEVER;
		}
		const found = Object.hasOwn(value, '@type') ? value['@type'] : undefined;
		const version = Object.hasOwn(value, '@version') ? value['@version'] : undefined;
		const type = types().find(({ name }) => name === found);
		if (type === undefined || (version !== undefined && Number.parseInt(String(version), 10) > 1)) {
			addTypeIssue(context, found);
			return z.NEVER;
		}
		return { '@type': type.name, ...readMembers(type, value, context) };
	});
}

function readMembers(type: ContentType, value: JsonObject, context: z.RefinementCtx): JsonObject {
	const result = type.members.safeParse(value);
	if (result.success) return result.data;
	for (const issue of result.error.issues) context.addIssue({ ...issue } as never);
	return z.NEVER;
}

function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function addTypeIssue(context: z.RefinementCtx, found: unknown): void {
	const isUnknown = typeof found === 'string' && !isKnownContentType(found);
	context.addIssue({
		code: 'custom',
		message:
			typeof found === 'string'
				? `the type '${found.slice(0, 100)}' is ${isUnknown ? 'unknown' : 'not allowed here'}`
				: "'@type' is missing",
		params: { unknownType: isUnknown },
	});
}
