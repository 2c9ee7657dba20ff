import type { INodeProperties } from 'n8n-workflow';

/**
 * Fields for the end of an object: `expires`, `expiresInDays` and `expiresAt`,
 * read by `fields/expiry`.
 */
export function expiryFields(
	description: string,
	show: Readonly<Record<string, string[]>> = {},
): INodeProperties[] {
	return [
		{
			displayName: 'Expires',
			name: 'expires',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show },
			options: [
				{ name: 'After Some Days', value: 'afterDays' },
				{ name: 'On a Date', value: 'onDate' },
			],
			default: 'afterDays',
			description,
		},
		{
			displayName: 'Days Until Expiry',
			name: 'expiresInDays',
			type: 'number',
			typeOptions: { minValue: 1 },
			displayOptions: { show: { ...show, expires: ['afterDays'] } },
			default: 30,
		},
		{
			displayName: 'Expires At',
			name: 'expiresAt',
			type: 'dateTime',
			displayOptions: { show: { ...show, expires: ['onDate'] } },
			default: '',
			required: true,
			description: 'Without an offset this is a time in the time zone of the workflow',
		},
	];
}
