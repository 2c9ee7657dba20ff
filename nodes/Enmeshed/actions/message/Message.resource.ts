import type { INodeProperties } from 'n8n-workflow';
import { getAll } from './getAll.operation';
import { sendMail } from './sendMail.operation';

export const messageOperations = { getAll, sendMail };

export const messageDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['message'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many messages',
				description: 'List received and sent messages, the newest first',
			},
			{
				name: 'Send Mail',
				value: 'sendMail',
				action: 'Send mail message',
				description: 'Send subject and text to peers, end-to-end encrypted',
			},
		],
		default: 'sendMail',
	},
	...getAll.properties,
	...sendMail.properties,
];
