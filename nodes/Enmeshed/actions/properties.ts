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
			// The account comes last, because only maintenance needs it.
			// eslint-disable-next-line n8n-nodes-base/node-param-options-type-unsorted-items
			options: [
				{ name: 'Attribute', value: 'attribute' },
				{ name: 'Contact', value: 'contact' },
				{ name: 'File', value: 'file' },
				{ name: 'Message', value: 'message' },
				{ name: 'Relationship', value: 'relationship' },
				{ name: 'Relationship Template', value: 'relationshipTemplate' },
				{ name: 'Request (Incoming)', value: 'incomingRequest' },
				{ name: 'Request (Outgoing)', value: 'outgoingRequest' },
				{ name: 'Token', value: 'token' },
				{ name: 'Account', value: 'account' },
			],
			default: 'relationshipTemplate',
		},
		...Object.values(resources).flatMap(({ description }) => description),
	];
}
