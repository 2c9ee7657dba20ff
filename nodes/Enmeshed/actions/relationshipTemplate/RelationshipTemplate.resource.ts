import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { create } from './create.operation';
import { createLetters } from './createLetters.operation';
import { deleteTemplate } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getUnanswered } from './getUnanswered.operation';
import { sendAndWait } from './sendAndWait.operation';

export const relationshipTemplateOperations = {
	create,
	sendAndWait,
	createLetters,
	getUnanswered,
	getAll,
	get,
	delete: deleteTemplate,
};

export const relationshipTemplateDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['relationshipTemplate'] } },
		// The panel lists actions in this order and has no search, so the usual ones come first.
		// eslint-disable-next-line n8n-nodes-base/node-param-options-type-unsorted-items
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create QR code to connect',
				description: 'Create an invitation with link and QR code that people scan to connect',
			},
			{
				name: 'Create and Wait',
				value: 'sendAndWait',
				action: 'Show page with QR code and wait',
				description:
					'Show a page with a QR code to a visitor, and continue when the person has answered in the wallet',
			},
			{
				name: 'Create Letters',
				value: 'createLetters',
				action: 'Create letters or labels with QR codes',
				description: 'Draw a PDF of letters or labels, for people who get their QR code on paper',
			},
			{
				name: 'Get Unanswered',
				value: 'getUnanswered',
				action: 'Get people who have not answered yet',
				description:
					'List templates that no person has answered yet, for example to send letters again',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many relationship templates',
				description: 'List templates, the newest first',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get relationship template',
				description: 'Get one template with its link, content and QR code',
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete relationship template',
				description: 'Delete a template permanently, so that it can no longer be used to connect',
			},
		],
		default: 'create',
	},
	...propertiesOf(relationshipTemplateOperations),
];
