import * as z from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../json';
import { contentType, fixed, fixedAndWritten, report } from '../content-type';
import type { ContentType } from '../content-type';
import { listField, scalarField, textField } from '../fields';

/** @see docs/protocol/content.md 9.1 */
export const valueHintsValue = contentType('ValueHintsValue', () => ({
	displayName: textField({ max: 100 }),
	key: scalarField(100),
}));

/** Hints for the parts of a value, by name; each is written with its type. */
function hintsByProperty(type: () => ContentType): z.ZodType<JsonObject> {
	const hint = fixedAndWritten(type);
	return z.transform((value, context): JsonObject => {
		if (!isJsonObject(value)) {
			context.addIssue({ code: 'custom', message: 'expected an object' });
			return z.NEVER;
		}
		const hints: Array<[string, Json]> = [];
		for (const [property, given] of Object.entries(value)) {
			const result = hint.safeParse(given);
			if (result.success) hints.push([property, result.data]);
			else report(result.error, context, [property]);
		}
		return Object.fromEntries(hints) as JsonObject;
	});
}

const valueHintsShape = (): Record<string, z.ZodType> => ({
	editHelp: textField({ max: 500 }).optional(),
	min: z.number().optional(),
	max: z.number().optional(),
	pattern: textField({ max: 1000 }).optional(),
	values: listField(
		fixed(() => valueHintsValue),
		{ required: false },
	).optional(),
	defaultValue: scalarField().optional(),
});

const withPropertyHints = (value: JsonObject): void => {
	value['propertyHints'] ??= {};
};

export const valueHints: ContentType = contentType(
	'ValueHints',
	() => ({ ...valueHintsShape(), propertyHints: hintsByProperty(() => valueHints) }),
	{ adjust: withPropertyHints },
);

/** The wire format requires that an absent member is written last. */
export const valueHintsOverride = contentType(
	'ValueHintsOverride',
	() => ({ ...valueHintsShape(), propertyHints: hintsByProperty(() => valueHints).optional() }),
	{
		adjust: (value) => {
			if (value['propertyHints'] === null) value['propertyHints'] = {};
		},
		complete: (value) => ({ ...value, propertyHints: value['propertyHints'] ?? {} }),
	},
);

/** Rendering hints; never sent, so the names in it are not checked. */
export const renderHints: ContentType = contentType(
	'RenderHints',
	() => ({
		technicalType: z.string(),
		editType: z.string(),
		dataType: z.string().optional(),
		propertyHints: hintsByProperty(() => renderHints),
	}),
	{ adjust: withPropertyHints },
);

export const renderHintsOverride: ContentType = contentType(
	'RenderHintsOverride',
	() => ({
		technicalType: z.string().optional(),
		editType: z.string().optional(),
		dataType: z.string().optional(),
		propertyHints: hintsByProperty(() => renderHintsOverride),
	}),
	{ adjust: withPropertyHints },
);
