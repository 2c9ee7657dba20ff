import type { INodeProperties } from 'n8n-workflow';
import { create } from './create.operation';
import { getAll } from './getAll.operation';
import { getQrCode } from './getQrCode.operation';

export const relationshipTemplateOperations = { create, getAll, getQrCode };

export const relationshipTemplateDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['relationshipTemplate'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create relationship template',
				description: 'Create an invitation with link and QR code that people scan to connect',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many relationship templates',
				description: 'List templates, the newest first',
			},
			{
				name: 'Get QR Code',
				value: 'getQrCode',
				action: 'Get relationship template QR code',
				description: 'Draw the QR code of a template again, as a PNG file',
			},
		],
		default: 'create',
	},
	...create.properties,
	...getAll.properties,
	...getQrCode.properties,
];
