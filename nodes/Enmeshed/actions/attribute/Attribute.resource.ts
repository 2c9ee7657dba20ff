import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { create } from './create.operation';
import { deleteAttribute } from './delete.operation';
import { executeQuery } from './executeQuery.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getSharedVersions } from './getSharedVersions.operation';
import { getVersions } from './getVersions.operation';
import { notifyPeer } from './notifyPeer.operation';
import { shareWithPeer } from './shareWithPeer.operation';
import { update } from './update.operation';
import { upsert } from './upsert.operation';

export const attributeOperations = {
	create,
	delete: deleteAttribute,
	executeQuery,
	get,
	getAll,
	getSharedVersions,
	getVersions,
	notifyPeer,
	shareWithPeer,
	update,
	upsert,
};

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
				description: 'Store something about your identity that you can share with peers',
			},
			{
				name: 'Create or Update',
				value: 'upsert',
				action: 'Create or update attribute',
				description: 'Create a new record, or update the current one if it already exists (upsert)',
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete attribute',
				description:
					'Delete an attribute with its earlier versions, and notify the peer that shares it',
			},
			{
				name: 'Execute Query',
				value: 'executeQuery',
				action: 'Execute attribute query',
				description: 'Find the attributes that could answer a query',
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
			{
				name: 'Get Shared Versions',
				value: 'getSharedVersions',
				action: 'Get shared versions of attribute',
				description: 'List which peers have which version of an attribute',
			},
			{
				name: 'Get Versions',
				value: 'getVersions',
				action: 'Get versions of attribute',
				description: 'List all versions of an attribute, the newest first',
			},
			{
				name: 'Notify Peer About Update',
				value: 'notifyPeer',
				action: 'Notify peer about attribute update',
				description: 'Give a peer the new version of an attribute that it has',
			},
			{
				name: 'Share With Peer',
				value: 'shareWithPeer',
				action: 'Share attribute with peer',
				description: 'Ask a peer to accept one of your attributes',
			},
			{
				name: 'Update (Succeed)',
				value: 'update',
				action: 'Update attribute',
				description: 'Give an attribute a new version; the earlier ones are kept',
			},
		],
		default: 'create',
	},
	...propertiesOf(attributeOperations),
];
