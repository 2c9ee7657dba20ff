import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { accept } from './accept.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { reject } from './reject.operation';

export const incomingRequestOperations = {
	accept,
	reject,
	getAll,
	get,
};

export const incomingRequestDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['incomingRequest'] } },
		options: [
			{
				name: 'Accept',
				value: 'accept',
				action: 'Accept incoming request',
				description:
					'Answer what a peer asks for, entry by entry, and send or only check the answer',
			},
			{
				name: 'Reject',
				value: 'reject',
				action: 'Reject incoming request',
				description: 'Refuse everything that a peer asks for, and notify the peer',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many incoming requests',
				description: 'List the requests of peers, the newest first',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get incoming request',
				description: 'Get what a peer asks for and how it was answered',
			},
		],
		default: 'accept',
	},
	...propertiesOf(incomingRequestOperations),
];
