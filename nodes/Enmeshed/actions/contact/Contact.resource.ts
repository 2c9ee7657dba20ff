import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { erase } from './erase.operation';
import { exportOperation } from './export.operation';
import { find } from './find.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getHistory } from './getHistory.operation';

export const contactOperations = {
	find,
	getAll,
	get,
	getHistory,
	export: exportOperation,
	erase,
};

export const contactDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['contact'] } },
		// The panel lists actions in this order and has no search, so the usual ones come first.
		// eslint-disable-next-line n8n-nodes-base/node-param-options-type-unsorted-items
		options: [
			{
				name: 'Find',
				value: 'find',
				action: 'Find contact',
				description:
					'Find a person by a number that you have set, or by what the person has shared',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many contacts',
				description: 'List the people that you are or were connected with, the newest first',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get contact',
				description: 'Get one person with everything that you have shared with each other',
			},
			{
				name: 'Get History',
				value: 'getHistory',
				action: 'Get history of contact',
				description:
					'List what happened between you and one person, the newest first: messages, requests, files, attributes',
			},
			{
				name: 'Export',
				value: 'export',
				action: 'Export data of contact',
				description:
					'Get everything that is stored about one person as JSON and files, as a person may ask under the GDPR',
			},
			{
				name: 'Erase',
				value: 'erase',
				action: 'Erase data of contact',
				description:
					'Erase everything about one person after the relationship has ended, with a receipt of what remains',
			},
		],
		default: 'find',
	},
	...propertiesOf(contactOperations),
];
