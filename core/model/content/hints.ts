import * as z from 'zod';
import type { Json, JsonObject } from '../json';
import { contentType, fixed, isObject } from './content-type';
import { identityValueTypes, relationshipValueTypes } from './content-types';
import { listField, tagsField, textField } from './fields';

export const confidentialities = ['public', 'private', 'protected'] as const;

const scalar = (max = Infinity): z.ZodType<Json> =>
	z.union(
		[textField({ max }), z.number(), z.boolean()],
		'expected text, a number or true or false',
	);

export const valueHintsValue = contentType('ValueHintsValue', () => ({
	key: scalar(100),
	displayName: textField({ max: 100 }),
}));

/** Hints always write their type, also where the position fixes it (docs/protocol/content.md 2.6). */
const hintsField = fixed(() => valueHints).transform((hints) => ({
	'@type': 'ValueHints',
	...hints,
}));

const hintsByProperty = z.unknown().transform((value, context): JsonObject => {
	if (!isObject(value)) {
		context.addIssue({ code: 'custom', message: 'expected an object' });
		return z.NEVER;
	}
	const hints: Array<[string, Json]> = [];
	for (const [property, hint] of Object.entries(value)) {
		const result = hintsField.safeParse(hint);
		if (result.success) hints.push([property, result.data as Json]);
		else {
			for (const issue of result.error.issues) {
				context.addIssue({ ...issue, path: [property, ...issue.path] } as never);
			}
		}
	}
	return Object.fromEntries(hints) as JsonObject;
});

/** docs/protocol/content.md 9.1 */
export const valueHints = contentType(
	'ValueHints',
	() => ({
		editHelp: textField({ max: 500 }).optional(),
		min: z.number().optional(),
		max: z.number().optional(),
		pattern: textField({ max: 1000 }).optional(),
		values: listField(
			fixed(() => valueHintsValue),
			{ required: false },
		).optional(),
		defaultValue: scalar().optional(),
		propertyHints: hintsByProperty,
	}),
	{
		adjust: (value) => {
			value['propertyHints'] ??= {};
		},
	},
);

/** docs/protocol/content.md 8.2 */
export const relationshipAttributeCreationHints = contentType(
	'RelationshipAttributeCreationHints',
	() => ({
		title: textField({ max: 100 }),
		valueType: z.enum(relationshipValueTypes),
		description: textField({ max: 1000 }).optional(),
		valueHints: hintsField.nullish(),
		confidentiality: z.enum(confidentialities),
	}),
);

/** docs/protocol/content.md 8.4 */
export const iqlQueryCreationHints = contentType('IQLQueryCreationHints', () => ({
	valueType: z.enum(identityValueTypes),
	tags: tagsField.optional(),
}));
