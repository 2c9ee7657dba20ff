import type { INodeProperties } from 'n8n-workflow';

/** Option of every operation that sends something or uploads a file. */
export const sendOncePer: INodeProperties = {
	displayName: 'Send Once Per',
	name: 'sendOncePer',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.orderNumber }}',
	description:
		'For each value the same content goes to the same person once, in all executions. Without this option it is sent once for each event that began the work, also through sub-workflows and tools. Use it when something else begins the work, or to send the same again on purpose. <a href="https://github.com/n8n-nodes-enmeshed/n8n-nodes-enmeshed/blob/main/docs/operations.md" target="_blank">More info</a>.',
};
