import type { INodeProperties } from 'n8n-workflow';
import { accept } from './accept.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { reject } from './reject.operation';

export const relationshipOperations = { accept, get, getAll, reject };

export const relationshipDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['relationship'] } },
		options: [
			{
				name: 'Accept',
				value: 'accept',
				action: 'Accept relationship',
				description: 'Make a pending relationship that a peer asked for active',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get relationship',
				description: 'Get the state of one relationship and what its peer shared',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many relationships',
				description: 'List relationships, the newest first',
			},
			{
				name: 'Reject',
				value: 'reject',
				action: 'Reject relationship',
				description: 'Refuse a pending relationship that a peer asked for',
			},
		],
		default: 'accept',
	},
	...accept.properties,
	...get.properties,
	...getAll.properties,
	...reject.properties,
];
