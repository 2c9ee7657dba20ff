import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { sendAndWait } from './sendAndWait.operation';

export const outgoingRequestOperations = {
	sendAndWait,
	getAll,
	get,
};

export const outgoingRequestDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['outgoingRequest'] } },
		options: [
			{
				name: 'Send and Wait for Response',
				value: 'sendAndWait',
				action: 'Ask connected person and wait',
				description: 'Ask a person, and go on with the answer from the wallet',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many outgoing requests',
				description: 'List the requests to peers, the newest first',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get outgoing request',
				description: 'Get the state of one request and what was answered',
			},
		],
		default: 'sendAndWait',
	},
	...propertiesOf(outgoingRequestOperations),
];
