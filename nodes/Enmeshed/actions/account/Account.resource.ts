import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { getIdentity } from './getIdentity.operation';
import { loadFromReference } from './loadFromReference.operation';
import { getProblems } from './getProblems.operation';
import { sync } from './sync.operation';

export const accountOperations = {
	getIdentity,
	sync,
	loadFromReference,
	getProblems,
};

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
				description:
					'Get the address that peers know this account by, and when it was last synchronised',
			},
			{
				name: 'Sync',
				value: 'sync',
				action: 'Sync account',
				description: 'Fetch everything new from the Backbone now, without waiting for a trigger',
			},
			{
				name: 'Load From Reference',
				value: 'loadFromReference',
				action: 'Load link or QR code of peer',
				description:
					'Open the template, file or token behind a link or QR code of a peer, or connect with it',
			},
			{
				name: 'Get Problems',
				value: 'getProblems',
				action: 'Get or retry account problems',
				description:
					'Failed events, parked deliveries and messages that may not have been sent: list, retry or discard them',
			},
		],
		default: 'getIdentity',
	},
	...propertiesOf(accountOperations),
];
