import type { RequestField } from '../../store/store';
import { scalar, text, type QueryFields } from '../query/collection-query';

/** Query parameters of request lists (docs/protocol/consumption.md 15). */
const commonFields: QueryFields<RequestField> = {
	id: text('ownId'),
	peer: text('peer'),
	createdAt: text('createdAt'),
	status: text('status'),
	'content.expiresAt': text('expiresAt'),
	'content.items.@type': text('itemType'),
	'content.items.items.@type': text('innerItemType'),
	'source.type': text('sourceType'),
	'source.reference': text('sourceReference'),
	'response.createdAt': text('responseCreatedAt'),
	'response.source.type': text('responseSourceType'),
	'response.source.reference': text('responseSourceReference'),
	'response.content.result': text('responseResult'),
	'response.content.items.@type': text('responseItemType'),
	'response.content.items.items.@type': text('responseInnerItemType'),
};

export const outgoingRequestQueryFields = commonFields;

export const incomingRequestQueryFields: QueryFields<RequestField> = {
	...commonFields,
	wasAutomaticallyDecided: scalar('wasAutomaticallyDecided'),
};
