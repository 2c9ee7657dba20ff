import type { INodeProperties } from 'n8n-workflow';
import { getIdentity } from './getIdentity.operation';
import { getSyncStatus } from './getSyncStatus.operation';
import { sync } from './sync.operation';

export const accountOperations = { getIdentity, getSyncStatus, sync };

export const accountDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['account'] } },
		options: [
			{
				name: 'Get Identity',
				value: 'getIdentity',
				action: 'Get account identity',
				description: 'Get the address and public key that peers know this account by',
			},
			{
				name: 'Get Sync Status',
				value: 'getSyncStatus',
				action: 'Get account sync status',
				description: 'See when the account was last in step with the Backbone, and what is waiting',
			},
			{
				name: 'Sync',
				value: 'sync',
				action: 'Sync account',
				description: 'Fetch everything new from the Backbone now, without waiting for a trigger',
			},
		],
		default: 'getIdentity',
	},
	...sync.properties,
];
