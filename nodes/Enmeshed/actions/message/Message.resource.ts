import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { downloadAttachment } from './downloadAttachment.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { markAsRead } from './markAsRead.operation';
import { sendAndWait } from './sendAndWait.operation';
import { sendCustom } from './sendCustom.operation';
import { sendMail } from './sendMail.operation';
import { sendRequest } from './sendRequest.operation';

export const messageOperations = {
	downloadAttachment,
	get,
	getAll,
	markAsRead,
	sendAndWait,
	sendCustom,
	sendMail,
	sendRequest,
};

export const messageDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['message'] } },
		options: [
			{
				name: 'Download Attachment',
				value: 'downloadAttachment',
				action: 'Download message attachment',
				description: 'Fetch and decrypt the files that came with a message',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get message',
				description: 'Get one message by its ID',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many messages',
				description: 'List received and sent messages, the newest first',
			},
			{
				name: 'Mark as Read',
				value: 'markAsRead',
				action: 'Mark message as read',
				description: 'Note that a message was read, without telling its sender',
			},
			{
				name: 'Send Custom',
				value: 'sendCustom',
				action: 'Send custom message',
				description: 'Send data of your own to another gateway, end-to-end encrypted',
			},
			{
				name: 'Send Mail',
				value: 'sendMail',
				action: 'Send mail message',
				description: 'Send subject and text to peers, end-to-end encrypted',
			},
			{
				name: 'Send Mail and Wait for Reply',
				value: 'sendAndWait',
				action: 'Send mail and wait for reply',
				description: 'Send a mail to a person, and go on with the next mail of that person',
			},
			{
				name: 'Send Request',
				value: 'sendRequest',
				action: 'Send request message',
				description: 'Ask a peer for attributes or consent, or offer it something',
			},
		],
		default: 'sendMail',
	},
	...propertiesOf(messageOperations),
];
