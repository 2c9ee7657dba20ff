import type { INodeProperties } from 'n8n-workflow';
import { resources } from './resources';

/**
 * Fields of every operation. The build replaces this module by its result as JSON, which loads in a
 * fraction of the time, so the result must not depend on time or machine.
 */
export function actionProperties(): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			// The node panel groups the actions in this order. It has no search for nodes that are
			// installed, so what most people look for comes first.
			// eslint-disable-next-line n8n-nodes-base/node-param-options-type-unsorted-items
			options: [
				{ name: 'Relationship Template', value: 'relationshipTemplate' },
				{ name: 'Relationship', value: 'relationship' },
				{ name: 'Message', value: 'message' },
				{ name: 'Request (Outgoing)', value: 'outgoingRequest' },
				{ name: 'Contact', value: 'contact' },
				{ name: 'Request (Incoming)', value: 'incomingRequest' },
				{ name: 'Attribute', value: 'attribute' },
				{ name: 'File', value: 'file' },
				{ name: 'Account', value: 'account' },
			],
			default: 'relationshipTemplate',
		},
		...Object.values(resources).flatMap(({ description }) => description),
	];
}
