import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { downloadAttachment } from './downloadAttachment.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { sendAndWait } from './sendAndWait.operation';
import { sendMail } from './sendMail.operation';
import { sendNotification } from './sendNotification.operation';
import { sendRequest } from './sendRequest.operation';

export const messageOperations = {
	sendMail,
	sendAndWait,
	sendRequest,
	getAll,
	get,
	downloadAttachment,
	sendNotification,
};

export const messageDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['message'] } },
		// The panel lists actions in this order and has no search, so the usual ones come first.
		// eslint-disable-next-line n8n-nodes-base/node-param-options-type-unsorted-items
		options: [
			{
				name: 'Send Mail',
				value: 'sendMail',
				action: 'Send mail',
				description: 'Send a mail to a connected person, with files',
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
				action: 'Send request',
				description:
					'Ask for an email address, other attributes or consent, or offer something, without waiting',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many messages',
				description: 'List received and sent messages, the newest first',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get message',
				description: 'Get one message by its ID, and mark it as read',
			},
			{
				name: 'Download Attachment',
				value: 'downloadAttachment',
				action: 'Download message attachment',
				description: 'Fetch and decrypt the files that came with a message',
			},
			{
				name: 'Send Notification',
				value: 'sendNotification',
				action: 'Send push notification',
				description: "Show a text of the Backbone's operator on the phones of people",
			},
		],
		default: 'sendMail',
	},
	...propertiesOf(messageOperations),
];
