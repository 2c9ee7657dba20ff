import type { MessageContent } from '../../../../core/model/content/message-content';
import { loosely } from '../../../support/loosely';
import { checkMailAddresses, checkRecipients } from '../../../../core/domain/message/message-rules';
import type { RelationshipRecord } from '../../../../core/model/record/relationship';
import { relationshipWith } from '../request/consumption-fixtures';

/* docs/protocol/transport.md 7.2 */
const [bob, carol, dora] = ['bob', 'carol', 'dora'].map((n) => `did:e:localhost:dids:${n}`) as [
	string,
	string,
	string,
];

const related = (...records: readonly RelationshipRecord[]) =>
	new Map(records.map((record) => [record.peer, record]));

const inDeletion = (deletionStatus: 'ToBeDeleted' | 'Deleted') => ({
	peerDeletionInfo: { deletionStatus, deletionDate: '2030-01-01T00:00:00.000Z' },
});

const mail = loosely<MessageContent>({ '@type': 'Mail' });
const notification = loosely<MessageContent>({ '@type': 'Notification' });

describe('the recipients of a notification', () => {
	it.each([
		['Active', {}],
		['Terminated', {}],
		['Active', inDeletion('ToBeDeleted')],
	] as const)('are fine with a relationship that is %s (%j)', (status, more) => {
		const relationships = related(relationshipWith(bob, status, more));
		expect(checkRecipients(notification, [bob], relationships)).toBeUndefined();
	});

	it.each([
		['Pending', {}, 'missingOrInactiveRelationship'],
		['DeletionProposed', {}, 'missingOrInactiveRelationship'],
		['Terminated', inDeletion('Deleted'), 'peerIsDeleted'],
	] as const)('are refused with a relationship that is %s (%j)', (status, more, code) => {
		const relationships = related(relationshipWith(bob, status, more));
		expect(checkRecipients(notification, [bob], relationships)).toMatchObject({
			code: `error.transport.messages.${code}`,
		});
	});
});

describe('the recipients of a message', () => {
	it('are fine with active relationships', () => {
		const relationships = related(
			relationshipWith(bob, 'Active'),
			relationshipWith(carol, 'Active'),
		);
		expect(checkRecipients(mail, [bob, carol], relationships)).toBeUndefined();
	});

	it.each(['Pending', 'Rejected', 'Revoked', 'Terminated', 'DeletionProposed'] as const)(
		'are named when the relationship is missing or %s',
		(status) => {
			const relationships = related(
				relationshipWith(bob, 'Active'),
				relationshipWith(carol, status),
			);
			expect(checkRecipients(mail, [bob, carol, dora], relationships)).toMatchObject({
				code: 'error.transport.messages.missingOrInactiveRelationship',
				facts: { addresses: [carol, dora] },
			});
		},
	);

	it.each([
		[[carol], `The relationship with ${carol} was revoked.`],
		[[dora], `There is no active relationship with ${dora}.`],
		[[carol, dora], `There is no active relationship with ${carol}, ${dora}.`],
	])('are told what has become of the relationship: %j', (recipients, message) => {
		const relationships = related(relationshipWith(carol, 'Revoked'));
		expect(checkRecipients(mail, recipients, relationships)).toMatchObject({ message });
	});

	it.each([
		['ToBeDeleted', 'error.runtime.messages.peerIsInDeletion'],
		['Deleted', 'error.transport.messages.peerIsDeleted'],
	] as const)('are named when they are %s', (status, code) => {
		const relationships = related(
			relationshipWith(bob, 'Active'),
			relationshipWith(carol, 'Active', inDeletion(status)),
		);
		expect(checkRecipients(mail, [bob, carol], relationships)).toMatchObject({
			code,
			facts: { addresses: [carol] },
		});
	});
});

describe('the addresses of a Mail', () => {
	it.each([
		['To and CC together', { to: [bob], cc: [carol] }, [carol, bob], undefined],
		['no address in CC', { to: [bob] }, [bob], undefined],
		['one recipient too few', { to: [bob, carol] }, [bob], 'recipients'],
		['one recipient too many', { to: [bob] }, [bob, carol], 'recipients'],
		['another recipient', { to: [bob, carol] }, [bob, dora], 'recipients'],
		['the same in To and CC', { to: [bob], cc: [bob] }, [bob], 'content.to'],
		['the same twice in To', { to: [bob, bob] }, [bob], 'content.to'],
	])('with %s', (_, mail, recipients, field) => {
		expect(checkMailAddresses(mail, recipients)?.facts['field']).toBe(field);
	});
});
