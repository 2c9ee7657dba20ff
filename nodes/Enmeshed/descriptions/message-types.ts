import type { INodeProperties } from 'n8n-workflow';

/** Field for selecting types of message contents. */
export const messageTypes: INodeProperties = {
	displayName: 'Message Type',
	name: 'messageTypes',
	type: 'multiOptions',
	options: [
		{
			name: 'Custom',
			value: 'ArbitraryMessageContent',
			description: 'Content of a kind of its own',
		},
		{ name: 'Mail', value: 'Mail', description: 'Subject and text for people to read' },
		{ name: 'Notification', value: 'Notification', description: 'News about shared attributes' },
		{ name: 'Request', value: 'Request', description: 'Asks for or offers attributes' },
		{ name: 'Response', value: 'ResponseWrapper', description: 'The answer to a request' },
	],
	default: [],
};
