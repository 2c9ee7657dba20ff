import type { Operation } from '../helpers/operation';
import { accountOperations } from './account/Account.resource';
import { attributeOperations } from './attribute/Attribute.resource';
import { fileOperations } from './file/File.resource';
import { incomingRequestOperations } from './incomingRequest/IncomingRequest.resource';
import { messageOperations } from './message/Message.resource';
import { outgoingRequestOperations } from './outgoingRequest/OutgoingRequest.resource';
import { relationshipOperations } from './relationship/Relationship.resource';
import { relationshipTemplateOperations } from './relationshipTemplate/RelationshipTemplate.resource';
import { tokenOperations } from './token/Token.resource';

const resources: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
	account: accountOperations,
	attribute: attributeOperations,
	file: fileOperations,
	incomingRequest: incomingRequestOperations,
	message: messageOperations,
	outgoingRequest: outgoingRequestOperations,
	relationship: relationshipOperations,
	relationshipTemplate: relationshipTemplateOperations,
	token: tokenOperations,
};

/** undefined for names that no version of this node has */
export function findOperation(resource: string, operation: string): Operation | undefined {
	if (!Object.hasOwn(resources, resource)) return undefined;
	const operations = resources[resource] ?? {};
	return Object.hasOwn(operations, operation) ? operations[operation] : undefined;
}
