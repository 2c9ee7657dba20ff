import * as z from 'zod';
import type { ContentType } from '../content-type';
import { contentType } from '../content-type';
import { listField, textField } from '../fields';

/** Limit for text entered into a form field and for its options. */
export const maxFormTextLength = 4096;

const integer = (): z.ZodType<number> =>
	z.number().refine((value) => Number.isInteger(value), 'expected an integer');

const integerFrom = (min: number, max: number): z.ZodType<number> =>
	integer().refine((value) => value >= min && value <= max, `expected ${min} to ${max}`);

/** Settings of form fields by type (docs/protocol/content.md 5.5). */
export const formFieldSettings: readonly ContentType[] = [
	contentType('StringFormFieldSettings', () => ({
		allowNewlines: z.boolean().optional(),
		min: integerFrom(0, maxFormTextLength).optional(),
		max: integerFrom(0, maxFormTextLength).optional(),
	})),
	contentType('IntegerFormFieldSettings', () => ({
		unit: z.string().optional(),
		min: integer().optional(),
		max: integer().optional(),
	})),
	contentType('DoubleFormFieldSettings', () => ({
		unit: z.string().optional(),
		min: z.number().optional(),
		max: z.number().optional(),
	})),
	contentType('BooleanFormFieldSettings', () => ({})),
	contentType('DateFormFieldSettings', () => ({})),
	contentType('RatingFormFieldSettings', () => ({ maxRating: integerFrom(5, 10) })),
	contentType('SelectionFormFieldSettings', () => ({
		options: listField(textField({ min: 1, max: maxFormTextLength }), { required: true }),
		allowMultipleSelection: z.boolean().optional(),
	})),
];
