import type { INodeProperties } from 'n8n-workflow';
import type { Operation, Operations } from '../operation/operation';
import { accountDescription, accountOperations } from './account/Account.resource';
import { attributeDescription, attributeOperations } from './attribute/Attribute.resource';
import { contactDescription, contactOperations } from './contact/Contact.resource';
import { fileDescription, fileOperations } from './file/File.resource';
import {
	incomingRequestDescription,
	incomingRequestOperations,
} from './incomingRequest/IncomingRequest.resource';
import { messageDescription, messageOperations } from './message/Message.resource';
import {
	outgoingRequestDescription,
	outgoingRequestOperations,
} from './outgoingRequest/OutgoingRequest.resource';
import {
	relationshipDescription,
	relationshipOperations,
} from './relationship/Relationship.resource';
import {
	relationshipTemplateDescription,
	relationshipTemplateOperations,
} from './relationshipTemplate/RelationshipTemplate.resource';

interface Resource {
	readonly operations: Operations;
	readonly description: INodeProperties[];
}

/**
 * Resources by the names that n8n stores in workflows. n8n builds its node for human review from
 * the first resource that has an operation 'sendAndWait'.
 */
export const resources: Readonly<Record<string, Resource>> = {
	outgoingRequest: {
		operations: outgoingRequestOperations,
		description: outgoingRequestDescription,
	},
	account: { operations: accountOperations, description: accountDescription },
	attribute: { operations: attributeOperations, description: attributeDescription },
	contact: { operations: contactOperations, description: contactDescription },
	file: { operations: fileOperations, description: fileDescription },
	incomingRequest: {
		operations: incomingRequestOperations,
		description: incomingRequestDescription,
	},
	message: { operations: messageOperations, description: messageDescription },
	relationship: { operations: relationshipOperations, description: relationshipDescription },
	relationshipTemplate: {
		operations: relationshipTemplateOperations,
		description: relationshipTemplateDescription,
	},
};

/** Undefined if no version of this node has an operation of this name. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	if (!Object.hasOwn(resources, resource)) return undefined;
	const operations = resources[resource]?.operations ?? {};
	return Object.hasOwn(operations, operation) ? operations[operation] : undefined;
}
