import type { INodeProperties } from 'n8n-workflow';
import { create } from './create.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';

export const attributeOperations = { create, get, getAll };

export const attributeDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['attribute'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create attribute',
				description: 'Write down something about your identity that you can share with peers',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get attribute',
				description: 'Get one attribute, of your own or shared by a peer',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many attributes',
				description: 'List your attributes, or what peers and you have shared',
			},
		],
		default: 'create',
	},
	...create.properties,
	...get.properties,
	...getAll.properties,
];
