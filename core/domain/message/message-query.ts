import type { Condition, MessageField } from '../../store/store';
import { literal, scalar, single, text, type QueryFields } from '../query/collection-query';
import { columnConditions, readTerm, type QueryValue } from '../query/query-terms';

/** Query parameters of message lists (docs/protocol/transport.md 17.2). */
export const messageQueryFields: QueryFields<MessageField> = {
	isOwn: single(scalar('isOwn')),
	createdBy: text('createdBy'),
	createdByDevice: text('createdByDevice'),
	createdAt: text('createdAt'),
	'content.@type': text('contentType'),
	'content.body': text('body'),
	'content.subject': text('subject'),
	attachments: (given, name) =>
		given === '+' ? [{ field: 'attachment', op: 'exists' }] : literal('attachment')(given, name),
	'recipients.address': text('recipient'),
	'recipients.relationshipId': text('recipientRelationshipId'),
	wasReadAt: text('wasReadAt'),
	participant,
};

/** Matches the creator or any recipient; operators are supported in lists only. */
function participant(given: QueryValue): Array<Condition<MessageField>> {
	const values = typeof given === 'string' ? [given] : given;
	const isPlain = typeof given === 'string' || values.every((one) => readTerm(one).op === 'eq');
	if (isPlain) return [{ field: 'participant', op: 'in', value: values }];
	const groups = (['createdBy', 'recipient'] as const).map((field) =>
		columnConditions(field, 'text', given),
	);
	return [{ op: 'anyOf', groups }];
}
