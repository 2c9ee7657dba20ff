import * as z from 'zod';
import { safeParse } from '../../base/schema-parse';
import { instantSchema } from '../instant';
import { isJsonObject, type Json } from '../json';
import { report, servalIssue, unexpectedIssue } from './content-type';
import { tagsProblem } from './tags';

/*
 * Field kinds of docs/protocol/content.md 2.2: accepted values and written form. Optional texts,
 * numbers, booleans and lists take `.optional()`; optional ids, addresses, dates and objects take
 * `.nullish()`, because null is preserved there.
 */
interface TextLimits {
	readonly min?: number;
	readonly max?: number;
	readonly format?: { readonly pattern: RegExp; readonly name: string };
}

/** @param limits in UTF-16 code units; the limits of zod count differently */
export function textField({ min = 0, max = Infinity, format }: TextLimits = {}): z.ZodType<string> {
	return z.string().superRefine((text, context) => {
		const problem =
			text.length < min
				? `expected at least ${min} characters`
				: text.length > max
					? `expected at most ${max} characters`
					: format !== undefined && !format.pattern.test(text)
						? `not ${format.name}`
						: undefined;
		if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
	});
}

/** Text, or the object form of older software: `{"@type": wrapperType, [member]: text}`. */
function wrappable(member: string, wrapperType: string): z.ZodType<string> {
	return z.transform((value, context): string => {
		if (typeof value === 'string') return value;
		if (isJsonObject(value) && Object.hasOwn(value, member)) {
			const inner = value[member];
			const type = value['@type'] ?? wrapperType;
			if (typeof inner === 'string' && type === wrapperType) return inner;
		}
		context.addIssue({ code: 'custom', message: 'expected text' });
		return z.NEVER;
	});
}

export const idField = wrappable('id', 'CoreId');
export const addressField = wrappable('address', 'CoreAddress');

const maxEpochMs = 8_640_000_000_000_000;

/** ISO 8601 text in any form, `{"date": text}`, or milliseconds since 1970. */
export const dateField: z.ZodType<string> = z.transform((value, context): string => {
	if (typeof value === 'number' && Math.abs(value) <= maxEpochMs) {
		return new Date(value).toISOString();
	}
	const text = isJsonObject(value) ? value['date'] : value;
	const parsed = safeParse(instantSchema, text);
	if (parsed.success) return parsed.data;
	const isMissing = value === undefined || value === null;
	const isOtherText = typeof text === 'string' && text !== '';
	context.addIssue({
		code: 'custom',
		message: isMissing ? 'is missing' : 'expected a date and time in ISO 8601 form',
		...(isMissing || isOtherText ? {} : { params: unexpectedIssue }),
	});
	return z.NEVER;
});

/**
 * Validity period of an attribute, or the period that a query asks for; the order of both is not
 * checked.
 */
export const validityShape = {
	/** ISO time from which on the value is valid; absent: always */
	validFrom: dateField.nullish(),
	/** ISO time until which the value is valid; absent: without end */
	validTo: dateField.nullish(),
};

/** JSON object or array, kept unchanged. */
export const objectField = z.custom<Json>(
	(value) => typeof value === 'object' && value !== null,
	'expected an object',
);

/** JSON value except null, kept unchanged. */
export const anyField = z.custom<Json>(
	(value) => value !== null && value !== undefined,
	'expected a value',
);

/** @param max maximum length of text */
export const scalarField = (max = Infinity): z.ZodType<Json> =>
	z.union(
		[textField({ max }), z.number(), z.boolean()],
		'expected text, a number or true or false',
	);

/**
 * @param required a required list reports null as missing; an optional one treats null as absent
 */
export function listField<Element>(
	element: z.ZodType<Element>,
	{ required, min = 0 }: { readonly required: boolean; readonly min?: number },
): z.ZodType<Element[]> {
	const list = z.array(element).min(min, 'may not be empty');
	return z.transform((value, context): Element[] => {
		const isMissing = value === undefined || (value === null && required);
		if (!Array.isArray(value)) {
			context.addIssue({
				code: 'custom',
				message: isMissing ? 'is missing' : 'expected a list',
				...(isMissing ? {} : { params: servalIssue }),
			});
			return z.NEVER;
		}
		const result = safeParse(list, value);
		return result.success ? result.data : report(result.error, context);
	});
}

/** @see docs/protocol/content.md 7.7 */
export const tagsField = listField(z.string(), { required: false }).superRefine((tags, context) => {
	const problem = tagsProblem(tags);
	if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});
