import type { INodeProperties } from 'n8n-workflow';

/** Types of values that a form field accepts. */
export const formFieldTypes = [
	{ name: 'Date', value: 'date' },
	{ name: 'Number', value: 'number' },
	{ name: 'Rating', value: 'rating', description: 'Stars from one to the maximum' },
	{ name: 'Selection', value: 'selection', description: 'One or several of some choices' },
	{ name: 'Text', value: 'text' },
	{ name: 'Whole Number', value: 'integer' },
	{ name: 'Yes or No', value: 'boolean' },
] as const;

export type FormFieldType = (typeof formFieldTypes)[number]['value'];

export function formFieldFields(show: { kind: string[] }): INodeProperties[] {
	const forTypes = (...fieldType: FormFieldType[]): Pick<INodeProperties, 'displayOptions'> => ({
		displayOptions: { show: { ...show, fieldType } },
	});
	return [
		{
			displayName: 'Field Type',
			name: 'fieldType',
			type: 'options',
			displayOptions: { show },
			options: [...formFieldTypes],
			default: 'text',
		},
		{
			displayName: 'Choices',
			name: 'choices',
			type: 'string',
			typeOptions: { rows: 4 },
			...forTypes('selection'),
			default: '',
			required: true,
			placeholder: 'e.g. From friends',
			description: 'One per line, all different',
		},
		{
			displayName: 'Allow Several Choices',
			name: 'allowMultipleSelection',
			type: 'boolean',
			...forTypes('selection'),
			default: false,
		},
		{
			displayName: 'Max Rating',
			name: 'maxRating',
			type: 'number',
			typeOptions: { minValue: 5, maxValue: 10 },
			...forTypes('rating'),
			default: 5,
			description: 'The best rating, from 5 to 10',
		},
		{
			displayName: 'Field Options',
			name: 'fieldOptions',
			type: 'collection',
			placeholder: 'Add Option',
			...forTypes('text', 'number', 'integer'),
			default: {},
			options: [
				{
					displayName: 'Allow Line Breaks',
					name: 'allowNewlines',
					type: 'boolean',
					default: true,
					description: 'Whether a text may have several lines',
				},
				{
					displayName: 'Maximum',
					name: 'max',
					type: 'number',
					default: 100,
					description: 'The greatest number, or how many characters a text may have',
				},
				{
					displayName: 'Minimum',
					name: 'min',
					type: 'number',
					default: 1,
					description: 'The smallest number, or how many characters a text must have',
				},
				{
					displayName: 'Unit',
					name: 'unit',
					type: 'string',
					default: '',
					placeholder: 'e.g. kg',
					description: 'What a number counts. Not for texts.',
				},
			],
		},
	];
}
