import type { Condition, MessageField } from '../../store/store';
import { literal, scalar, single, text, type QueryFields } from '../query/collection-query';
import { invalidQuery } from '../query/query-errors';
import {
	columnConditions,
	readTerm,
	type QueryValue,
	type TermOperator,
} from '../query/query-terms';
import { matching } from '../query/conditions';

/** Query parameters of message lists (docs/protocol/transport.md 17.2). */
export const messageQueryFields: QueryFields<MessageField> = {
	isOwn: single(scalar('isOwn')),
	createdBy: text('createdBy'),
	createdByDevice: text('createdByDevice'),
	createdAt: text('createdAt'),
	'content.@type': text('contentType'),
	'content.body': text('body'),
	'content.bodyFormat': bodyFormat,
	'content.subject': text('subject'),
	attachments: (given, name) =>
		given === '+' ? [{ field: 'attachment', op: 'exists' }] : literal('attachment')(given, name),
	'recipients.address': text('recipient'),
	'recipients.relationshipId': text('recipientRelationshipId'),
	wasReadAt: text('wasReadAt'),
	participant,
};

/**
 * Mails whose format is, or is not, one of the given ones; a mail that names none is plain text.
 */
function bodyFormat(given: QueryValue, name: string): Array<Condition<MessageField>> {
	const terms = (typeof given === 'string' ? [given] : given).map(readTerm);
	const named = (asked: TermOperator) =>
		terms.filter(({ op }) => op === asked).map((term) => term.text);
	const [wanted, unwanted] = [named('eq'), named('ne')];
	if (wanted.length + unwanted.length < terms.length) {
		throw invalidQuery(name, 'expected a format, with ! before it for all others');
	}
	const asked = ['Markdown', 'PlainText'].filter(
		(format) => (wanted.length === 0 || wanted.includes(format)) && !unwanted.includes(format),
	);
	const mails = { field: 'contentType', op: 'eq', value: 'Mail' } as const;
	if (asked.length === 2) return [mails];
	if (asked[0] === 'PlainText') return [mails, { field: 'bodyFormat', op: 'missing' }];
	return matching({ bodyFormat: asked });
}

/** Matches the creator or any recipient; operators are supported in lists only. */
function participant(given: QueryValue): Array<Condition<MessageField>> {
	const values = typeof given === 'string' ? [given] : given;
	const isPlain = typeof given === 'string' || values.every((one) => readTerm(one).op === 'eq');
	if (isPlain) return matching({ participant: values });
	const groups = (['createdBy', 'recipient'] as const).map((field) =>
		columnConditions(field, 'text', given),
	);
	return [{ op: 'anyOf', groups }];
}
