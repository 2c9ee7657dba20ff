import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { find } from './find.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';

export const contactOperations = {
	find,
	getAll,
	get,
};

export const contactDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['contact'] } },
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
		],
		default: 'find',
	},
	...propertiesOf(contactOperations),
];
