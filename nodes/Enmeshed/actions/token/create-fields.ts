import type { INodeProperties } from 'n8n-workflow';
import { binaryPropertyName, keep } from '../../descriptions/common';
import { expiryFields } from '../../descriptions/expiry';
import { fileLocator, templateLocator } from '../../descriptions/locators';
import { protectionOptions } from '../../descriptions/protection';
import { qrCodeFormat, qrCodeOptions } from '../../descriptions/qr-code';

const forJson = { contentMode: ['json'] };

/** The fields of Token > Create. */
export const createFields: INodeProperties[] = [
	{
		displayName: 'Content',
		name: 'contentMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'File',
				value: 'file',
				description: 'The token leads to a file and ends with it',
			},
			{
				name: 'JSON',
				value: 'json',
				description: 'For other software that knows what to do with it',
			},
			{
				name: 'Relationship Template',
				value: 'template',
				description: 'The token leads to a template and ends with it',
			},
		],
		default: 'file',
		description: 'What the token carries to the person who opens it',
	},
	{ ...fileLocator(), displayOptions: { show: { contentMode: ['file'] } } },
	{ ...templateLocator(), displayOptions: { show: { contentMode: ['template'] } } },
	{
		displayName: 'JSON',
		name: 'content',
		type: 'json',
		typeOptions: { rows: 5 },
		displayOptions: { show: forJson },
		default: '{}',
		required: true,
	},
	...expiryFields('When this token expires and can no longer be opened', forJson),
	binaryPropertyName,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [keep, ...protectionOptions('token'), qrCodeFormat, ...qrCodeOptions],
	},
];
