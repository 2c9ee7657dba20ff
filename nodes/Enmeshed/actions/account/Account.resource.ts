import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { discardProblem } from './discardProblem.operation';
import { getIdentity } from './getIdentity.operation';
import { getProblems } from './getProblems.operation';
import { getSyncStatus } from './getSyncStatus.operation';
import { reconcile } from './reconcile.operation';
import { retryProblem } from './retryProblem.operation';
import { sync } from './sync.operation';

export const accountOperations = {
	discardProblem,
	getIdentity,
	getProblems,
	getSyncStatus,
	reconcile,
	retryProblem,
	sync,
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
				name: 'Discard Problem',
				value: 'discardProblem',
				action: 'Discard account problem',
				description: 'Give up failed work, so that it is neither tried again nor listed any more',
			},
			{
				name: 'Get Identity',
				value: 'getIdentity',
				action: 'Get account identity',
				description: 'Get the address and public key that peers know this account by',
			},
			{
				name: 'Get Problems',
				value: 'getProblems',
				action: 'Get account problems',
				description:
					'List problems that need a decision, such as failed events, parked deliveries and messages that may not have been sent',
			},
			{
				name: 'Get Sync Status',
				value: 'getSyncStatus',
				action: 'Get account sync status',
				description:
					'See when the account was last synchronised with the Backbone, and what is waiting',
			},
			{
				name: 'Reconcile',
				value: 'reconcile',
				action: 'Reconcile account',
				description:
					'Compare the account with the Backbone, as happens daily, and fetch what no event has reported',
			},
			{
				name: 'Retry Problem',
				value: 'retryProblem',
				action: 'Retry account problem',
				description: 'Try failed work once more, without applying or sending anything twice',
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
	...propertiesOf(accountOperations),
];
