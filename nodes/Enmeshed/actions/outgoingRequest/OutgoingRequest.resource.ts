import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { create } from './create.operation';
import { discard } from './discard.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { sendAndWait } from './sendAndWait.operation';
import { validate } from './validate.operation';

export const outgoingRequestOperations = { create, discard, get, getAll, sendAndWait, validate };

export const outgoingRequestDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['outgoingRequest'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create outgoing request',
				description:
					"Put a request together as a draft that 'Message: Send Request' can send later",
			},
			{
				name: 'Discard',
				value: 'discard',
				action: 'Discard outgoing request',
				description: 'Remove a draft that was not sent',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get outgoing request',
				description: 'Get the state of one request and what was answered',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many outgoing requests',
				description: 'List the requests to peers, the newest first',
			},
			{
				name: 'Send and Wait for Response',
				value: 'sendAndWait',
				action: 'Send request and wait for response',
				description: 'Ask a person, and go on with the answer from the wallet',
			},
			{
				name: 'Validate',
				value: 'validate',
				action: 'Validate outgoing request',
				description: 'Check a request and list every problem, without keeping or sending anything',
			},
		],
		default: 'get',
	},
	...propertiesOf(outgoingRequestOperations),
];
