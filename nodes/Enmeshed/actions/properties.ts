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
			options: [
				{ name: 'Account', value: 'account' },
				{ name: 'Attribute', value: 'attribute' },
				{ name: 'Contact', value: 'contact' },
				{ name: 'File', value: 'file' },
				{ name: 'Message', value: 'message' },
				{ name: 'Relationship', value: 'relationship' },
				{ name: 'Relationship Template', value: 'relationshipTemplate' },
				{ name: 'Request (Incoming)', value: 'incomingRequest' },
				{ name: 'Request (Outgoing)', value: 'outgoingRequest' },
				{ name: 'Token', value: 'token' },
			],
			default: 'relationshipTemplate',
		},
		...Object.values(resources).flatMap(({ description }) => description),
	];
}
