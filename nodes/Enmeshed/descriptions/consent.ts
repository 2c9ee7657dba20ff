import type { INodeProperties } from 'n8n-workflow';

/** Fields of a consent that a person is asked for. */
export function consentFields(shown: Pick<INodeProperties, 'displayOptions'>): INodeProperties[] {
	return [
		{
			displayName: 'Consent',
			name: 'consent',
			type: 'string',
			typeOptions: { rows: 3 },
			...shown,
			default: '',
			required: true,
			placeholder: 'e.g. I agree to the terms and conditions.',
			description: 'What is agreed to, as the person reads it',
		},
		{
			displayName: 'Link',
			name: 'link',
			type: 'string',
			...shown,
			default: '',
			placeholder: 'e.g. https://example.com/terms',
			description: 'Where more about it can be read',
		},
		{
			displayName: 'Link Text',
			name: 'linkDisplayText',
			type: 'string',
			...shown,
			default: '',
			placeholder: 'e.g. Terms and conditions',
			description: 'Shown instead of the link, with 3 to 30 characters. Needs a link.',
		},
	];
}
