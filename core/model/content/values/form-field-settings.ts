import * as z from 'zod';
import { contentType, type ContentOf, type Flat } from '../content-type';
import { listField, textField } from '../fields';

/** Limit for text entered into a form field and for its options. */
export const maxFormTextLength = 4096;

const integer = (): z.ZodType<number> =>
	z.number().refine((value) => Number.isInteger(value), 'expected an integer');

const integerFrom = (min: number, max: number): z.ZodType<number> =>
	integer().refine((value) => value >= min && value <= max, `expected ${min} to ${max}`);

/** Settings of form fields by type (docs/protocol/content.md 5.5). */
export const formFieldSettings = [
	contentType('StringFormFieldSettings', () => ({
		/** true if the text may have several lines */
		allowNewlines: z.boolean().optional(),
		/** shortest length */
		min: integerFrom(0, maxFormTextLength).optional(),
		/** longest length */
		max: integerFrom(0, maxFormTextLength).optional(),
	})),
	contentType('IntegerFormFieldSettings', () => ({
		/** unit that is shown beside the number */
		unit: z.string().optional(),
		/** lowest number */
		min: integer().optional(),
		/** highest number */
		max: integer().optional(),
	})),
	contentType('DoubleFormFieldSettings', () => ({
		/** unit that is shown beside the number */
		unit: z.string().optional(),
		/** lowest number */
		min: z.number().optional(),
		/** highest number */
		max: z.number().optional(),
	})),
	contentType('BooleanFormFieldSettings', () => ({})),
	contentType('DateFormFieldSettings', () => ({})),
	contentType('RatingFormFieldSettings', () => ({
		/** best rating, 5 to 10; the worst is 1 */
		maxRating: integerFrom(5, 10),
	})),
	contentType('SelectionFormFieldSettings', () => ({
		/** texts to choose from */
		options: listField(textField({ min: 1, max: maxFormTextLength }), { required: true }),
		/** true if several may be chosen */
		allowMultipleSelection: z.boolean().optional(),
	})),
];

/** Settings of a form field. */
export type FormFieldSettings = Flat<ContentOf<(typeof formFieldSettings)[number]>>;
export type FormFieldSettingsOf<Type extends FormFieldSettings['@type']> = Extract<
	FormFieldSettings,
	{ '@type': Type }
>;
