import type { RelationshipField } from '../../store/store';
import { text, type QueryFields } from '../collection-query';

/** docs/protocol/transport.md 17.2 */
export const relationshipQueryFields: QueryFields<RelationshipField> = {
	peer: text('peer'),
	status: text('status'),
	'template.id': text('templateId'),
	templateId: text('templateId'),
};
