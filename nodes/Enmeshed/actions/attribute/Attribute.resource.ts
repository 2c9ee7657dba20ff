import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { create } from './create.operation';
import { deleteAttribute } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';
import { upsert } from './upsert.operation';

export const attributeOperations = {
	create,
	upsert,
	getAll,
	get,
	update,
	delete: deleteAttribute,
};

export const attributeDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['attribute'] } },
		// The panel lists actions in this order and has no search, so the usual ones come first.
		// eslint-disable-next-line n8n-nodes-base/node-param-options-type-unsorted-items
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create attribute',
				description: 'Store something about your identity that you can share with peers',
			},
			{
				name: 'Create or Update',
				value: 'upsert',
				action: 'Create or update attribute',
				description: 'Create a new record, or update the current one if it already exists (upsert)',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many attributes',
				description: 'List your attributes, or what peers and you have shared',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get attribute',
				description:
					'Get one attribute, of your own or shared by a peer, all its versions, or those that peers have',
			},
			{
				name: 'Update (Succeed)',
				value: 'update',
				action: 'Update attribute',
				description: 'Give an attribute a new version; the earlier ones are kept',
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete attribute',
				description:
					'Delete an attribute with its earlier versions, and notify the peer that shares it',
			},
		],
		default: 'create',
	},
	...propertiesOf(attributeOperations),
];
