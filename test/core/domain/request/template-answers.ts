import type { JsonObject } from '../../../../core/model/json';
import type { RelationshipRecord } from '../../../../core/model/record/relationship';
import {
	anHourLater,
	attributeId,
	givenName,
	people,
	relationshipWith,
	requestId,
} from './consumption-fixtures';

export const readId = attributeId('read');
export const shareId = attributeId('share');
export const sourceId = attributeId('source');
export const answerId = requestId('answer');

export const query: JsonObject = { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' };
export const readItem = (more = {}): JsonObject => ({
	'@type': 'ReadAttributeRequestItem',
	mustBeAccepted: true,
	query,
	...more,
});
export const shareItem = (more = {}): JsonObject => ({
	'@type': 'ShareAttributeRequestItem',
	attribute: givenName('Anna'),
	mustBeAccepted: true,
	sourceAttributeId: sourceId,
	...more,
});
export const readAnswer = (
	attribute: JsonObject = givenName('Bob', people.B),
	more = {},
): JsonObject => ({
	'@type': 'ReadAttributeAcceptResponseItem',
	attribute,
	attributeId: readId,
	result: 'Accepted',
	...more,
});
export const shareAnswer = (more = {}): JsonObject => ({
	'@type': 'ShareAttributeAcceptResponseItem',
	attributeId: shareId,
	result: 'Accepted',
	...more,
});
export const rejected: JsonObject = { '@type': 'RejectResponseItem', result: 'Rejected' };
export const group = (...items: JsonObject[]): JsonObject => ({
	'@type': 'RequestItemGroup',
	items,
});
export const answerGroup = (...items: JsonObject[]): JsonObject => ({
	'@type': 'ResponseItemGroup',
	items,
});

export function arrival(
	items: readonly JsonObject[],
	answers: readonly JsonObject[],
	more: { request?: object; response?: object; relationship?: Partial<RelationshipRecord> } = {},
): RelationshipRecord {
	const base = relationshipWith(people.B, 'Pending');
	const onNewRelationship = { expiresAt: anHourLater, items: [...items], ...more.request };
	const response = {
		items: [...answers],
		requestId: answerId,
		result: 'Accepted',
		...more.response,
	};
	return {
		...base,
		template: {
			...base.template,
			content: { '@type': 'RelationshipTemplateContent', onNewRelationship } as JsonObject,
		},
		creationContent: { '@type': 'RelationshipCreationContent', response } as JsonObject,
		...more.relationship,
	};
}
