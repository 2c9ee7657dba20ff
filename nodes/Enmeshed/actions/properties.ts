import type { INodeProperties } from 'n8n-workflow';
import { accountDescription } from './account/Account.resource';
import { attributeDescription } from './attribute/Attribute.resource';
import { fileDescription } from './file/File.resource';
import { incomingRequestDescription } from './incomingRequest/IncomingRequest.resource';
import { messageDescription } from './message/Message.resource';
import { outgoingRequestDescription } from './outgoingRequest/OutgoingRequest.resource';
import { relationshipDescription } from './relationship/Relationship.resource';
import { relationshipTemplateDescription } from './relationshipTemplate/RelationshipTemplate.resource';
import { tokenDescription } from './token/Token.resource';

/**
 * The fields of every operation. The build replaces this module by its result as JSON, which loads
 * in a fraction of the time, so nothing here may depend on when or where it runs.
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
		...accountDescription,
		...attributeDescription,
		...fileDescription,
		...incomingRequestDescription,
		...messageDescription,
		...outgoingRequestDescription,
		...relationshipDescription,
		...relationshipTemplateDescription,
		...tokenDescription,
	];
}
