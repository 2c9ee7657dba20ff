import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { challenge } from './challenge.operation';
import { deleteIdentity } from './deleteIdentity.operation';
import { getAnnouncements } from './getAnnouncements.operation';
import { getIdentity } from './getIdentity.operation';
import { identityMetadata } from './identityMetadata.operation';
import { loadFromReference } from './loadFromReference.operation';
import { getProblems } from './getProblems.operation';
import { sync } from './sync.operation';

export const accountOperations = {
	getIdentity,
	sync,
	loadFromReference,
	getProblems,
	getAnnouncements,
	identityMetadata,
	challenge,
	deleteIdentity,
};

export const accountDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['account'] } },
		// The panel lists actions in this order and has no search, so the usual ones come first, and
		// what destroys comes last.
		// eslint-disable-next-line n8n-nodes-base/node-param-options-type-unsorted-items
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
			{
				name: 'Get Announcements',
				value: 'getAnnouncements',
				action: 'Get announcements of operator',
				description:
					'Read what the operator of the Backbone tells all its users, such as downtimes',
			},
			{
				name: 'Note About Identity',
				value: 'identityMetadata',
				action: 'Set or get note about identity',
				description:
					'Store, read or delete a value about a person or this account (identity metadata), which stays here',
			},
			{
				name: 'Create or Validate Challenge',
				value: 'challenge',
				action: 'Create or validate challenge',
				description: 'Prove to a peer who you are, or check who a peer is',
			},
			{
				name: 'Delete Identity',
				value: 'deleteIdentity',
				action: 'Delete own identity',
				description:
					'Start or cancel the deletion of the identity of this account, or see its status',
			},
		],
		default: 'getIdentity',
	},
	...propertiesOf(accountOperations),
];
