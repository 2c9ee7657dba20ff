import * as z from 'zod';
import { safeParse } from '../../../base/schema-parse';
import { isJsonObject, type JsonObject } from '../../json';
import {
	contentType,
	fixed,
	fixedAndWritten,
	report,
	type ContentOf,
	type ContentType,
	type Flat,
	type MembersOfShape,
} from '../content-type';
import { listField, scalarField, textField } from '../fields';

/** @see docs/protocol/content.md 9.1 */
export const valueHintsValue = contentType('ValueHintsValue', () => ({
	/** text that a person reads */
	displayName: textField({ max: 100 }),
	/** value that is stored */
	key: scalarField(100),
}));

/** Hints for the parts of a value, by name; each is written with its type. */
function hintsByProperty<Type extends ContentType>(
	type: () => Type,
): z.ZodType<{ [property: string]: ContentOf<Type> }> {
	const hint = fixedAndWritten(type);
	return z.transform((value, context): { [property: string]: ContentOf<Type> } => {
		if (!isJsonObject(value)) {
			context.addIssue({ code: 'custom', message: 'expected an object' });
			return z.NEVER;
		}
		const hints: Array<[string, ContentOf<Type>]> = [];
		for (const [property, given] of Object.entries(value)) {
			const result = safeParse(hint, given);
			if (result.success) hints.push([property, result.data]);
			else report(result.error, context, [property]);
		}
		return Object.fromEntries(hints);
	});
}

const valueHintsShape = () => ({
	/** help for entering a value */
	editHelp: textField({ max: 500 }).optional(),
	/** lowest number, or shortest length */
	min: z.number().optional(),
	/** highest number, or longest length */
	max: z.number().optional(),
	/** regular expression for texts */
	pattern: textField({ max: 1000 }).optional(),
	/** values to choose from */
	values: listField(
		fixed(() => valueHintsValue),
		{ required: false },
	).optional(),
	/** value that is chosen at first */
	defaultValue: scalarField().optional(),
});

const withPropertyHints = (value: JsonObject): void => {
	value['propertyHints'] ??= {};
};

/* Hints contain hints, so their types are named here, and checked against the schemas. */
type ValueHintsMembers = MembersOfShape<ReturnType<typeof valueHintsShape>> & {
	/** hints for the parts of a value, by name */
	propertyHints: { [property: string]: ValueHints };
};

/** What values a peer may enter, and help for that. */
export type ValueHints = Flat<ContentOf<ContentType<'ValueHints', ValueHintsMembers>>>;

export const valueHints: ContentType<'ValueHints', ValueHintsMembers> = contentType(
	'ValueHints',
	() => ({ ...valueHintsShape(), propertyHints: hintsByProperty(() => valueHints) }),
	{ adjust: withPropertyHints },
);

/** The wire format requires that an absent member is written last. */
export const valueHintsOverride = contentType(
	'ValueHintsOverride',
	() => ({
		...valueHintsShape(),
		/** hints for the parts of a value, by name */
		propertyHints: hintsByProperty(() => valueHints).optional(),
	}),
	{
		adjust: (value) => {
			if (value['propertyHints'] === null) value['propertyHints'] = {};
		},
		complete: (value) => ({ ...value, propertyHints: value.propertyHints ?? {} }),
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
