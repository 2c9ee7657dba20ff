import type { FormFieldSettingsInput } from '../../../core';
import { defined } from '../helpers/members';
import type { FieldSchemas, Zod } from '../fields/parse-parameters';
import type { FormFieldType } from './form-field-fields';

const fieldTypes = ['boolean', 'date', 'integer', 'number', 'rating', 'selection', 'text'] as const;

/** Values that a person entered into the fields of `form-field-fields`. */
export interface EnteredFormField {
	readonly fieldType: FormFieldType;
	readonly choices: readonly string[];
	readonly allowMultipleSelection: boolean;
	readonly maxRating: number;
	readonly fieldOptions: {
		readonly allowNewlines?: boolean | undefined;
		readonly unit?: string | undefined;
		readonly min?: number | undefined;
		readonly max?: number | undefined;
	};
}

export function formFieldShape(z: Zod, { lines, number, optionalText }: FieldSchemas) {
	return {
		fieldType: z.enum(fieldTypes).default('text'),
		choices: lines.default([]),
		allowMultipleSelection: z.boolean().default(false),
		maxRating: number.default(5),
		fieldOptions: z
			.object({
				allowNewlines: z.boolean().optional(),
				max: number.optional(),
				min: number.optional(),
				unit: optionalText,
			})
			.default({ unit: undefined }),
	};
}

/** Builds the content of the settings (docs/protocol/content.md 5.5); the core validates it. */
export function buildFormFieldSettings(entered: EnteredFormField): FormFieldSettingsInput {
	const { allowNewlines, unit, min, max } = entered.fieldOptions;
	const bounds = { min, max };
	switch (entered.fieldType) {
		case 'text':
			return { '@type': 'StringFormFieldSettings', ...defined({ allowNewlines, ...bounds }) };
		case 'integer':
			return { '@type': 'IntegerFormFieldSettings', ...defined({ unit, ...bounds }) };
		case 'number':
			return { '@type': 'DoubleFormFieldSettings', ...defined({ unit, ...bounds }) };
		case 'boolean':
			return { '@type': 'BooleanFormFieldSettings' };
		case 'date':
			return { '@type': 'DateFormFieldSettings' };
		case 'rating':
			return { '@type': 'RatingFormFieldSettings', maxRating: entered.maxRating };
		case 'selection':
			return {
				'@type': 'SelectionFormFieldSettings',
				options: entered.choices,
				...(entered.allowMultipleSelection ? { allowMultipleSelection: true } : {}),
			};
	}
}
