import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { create } from './create.operation';
import { deleteTemplate } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getQrCode } from './getQrCode.operation';
import { loadFromReference } from './loadFromReference.operation';
import { sendAndWait } from './sendAndWait.operation';

export const relationshipTemplateOperations = {
	create,
	delete: deleteTemplate,
	get,
	getAll,
	getQrCode,
	loadFromReference,
	sendAndWait,
};

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
				name: 'Create and Wait',
				value: 'sendAndWait',
				action: 'Create relationship template and wait for answer',
				description:
					'Show a page with a QR code to a visitor, and continue when the person has answered in the wallet',
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete relationship template',
				description: 'Delete a template permanently, so that it can no longer be used to connect',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get relationship template',
				description: 'Get one template with its link and content',
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
				description: 'Draw the QR code of a template again, as a PNG file, data URL or SVG',
			},
			{
				name: 'Load From Reference',
				value: 'loadFromReference',
				action: 'Load relationship template from reference',
				description: 'Open the template behind the link or QR code of a peer',
			},
		],
		default: 'create',
	},
	...propertiesOf(relationshipTemplateOperations),
];
