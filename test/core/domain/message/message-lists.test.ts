import type { MessageRecord } from '../../../../core/model/record/message';
import { failureOf } from '../../backbone/fixture-server';
import { messageRecord, messageSecrets } from '../../../support/records';
import { own, peers, SendBench, type SendingProcess } from './send-bench';

let bench: SendBench;
let started: SendingProcess;
beforeEach(async () => {
	bench = await SendBench.open();
	started = await bench.start();
});
afterEach(() => bench.close());

const add = async (...records: readonly MessageRecord[]): Promise<void> =>
	await started.store.transact(async (tx) => {
		for (const record of records) await tx.messages.insert(record, messageSecrets);
	});

const [bob, carol] = peers as [string, string];

const sent = messageRecord('MSG1', {
	isOwn: true,
	createdBy: own,
	createdByDevice: 'DVCown',
	createdAt: '2030-01-01T00:00:00.000Z',
	content: { '@type': 'Mail', subject: 'Hello', body: 'The offer', to: [bob] },
	recipients: [
		{ address: bob, relationshipId: 'REL-bob' },
		{ address: carol, relationshipId: 'REL-carol' },
	],
	attachments: ['FIL1'],
});
const received = messageRecord('MSG2', {
	createdBy: bob,
	createdByDevice: 'DVCbob',
	createdAt: '2030-01-02T00:00:00.000Z',
	content: { '@type': 'Notification', subject: 'Reminder', body: 'A bill' },
	recipients: [{ address: own, relationshipId: 'REL-bob' }],
	wasReadAt: '2030-01-03T00:00:00.000Z',
});

const idsOf = async (query: Record<string, string | string[]>): Promise<string[]> =>
	(await started.messages.list({ query })).map(({ id }) => id);

describe('a list of messages', () => {
	beforeEach(() => add(sent, received));

	it.each<[Record<string, string | string[]>, string[]]>([
		[{}, ['MSG1', 'MSG2']],
		[{ isOwn: 'true' }, ['MSG1']],
		[{ isOwn: 'false' }, ['MSG2']],
		[{ createdBy: bob }, ['MSG2']],
		[{ createdByDevice: 'DVCown' }, ['MSG1']],
		[{ createdAt: '>=2030-01-02' }, ['MSG2']],
		[{ 'content.@type': 'Mail' }, ['MSG1']],
		[{ 'content.body': '~offer' }, ['MSG1']],
		[{ 'content.bodyFormat': 'Markdown' }, []],
		[{ 'content.bodyFormat': 'PlainText' }, ['MSG1']],
		[{ 'content.bodyFormat': '!Markdown' }, ['MSG1']],
		[{ 'content.bodyFormat': ['Markdown', 'PlainText'] }, ['MSG1']],
		[{ 'content.bodyFormat': 'Html' }, []],
		[{ 'content.subject': 'Reminder' }, ['MSG2']],
		[{ attachments: '+' }, ['MSG1']],
		[{ attachments: 'FIL1' }, ['MSG1']],
		[{ attachments: 'FIL2' }, []],
		[{ 'recipients.address': carol }, ['MSG1']],
		[{ 'recipients.relationshipId': 'REL-carol' }, ['MSG1']],
		[{ wasReadAt: '2030-01-03T00:00:00.000Z' }, ['MSG2']],
		[{ wasReadAt: '!' }, ['MSG1']],
		[{ participant: bob }, ['MSG1', 'MSG2']],
		[{ participant: carol }, ['MSG1']],
		[{ participant: [carol, 'stranger'] }, ['MSG1']],
		[{ participant: `^${bob.slice(0, -1)}` }, []],
		[{ participant: `~${carol.slice(-8)}` }, []],
		[{ participant: [`~${carol.slice(-8)}`] }, ['MSG1']],
	])('with %j has %j', async (query, expected) => {
		expect(await idsOf(query)).toEqual(expected);
	});

	it('has messages by their ids, in the order of these', async () => {
		const many = await started.messages.getMany(['MSG2', 'MSG9', 'MSG1']);
		expect(many).toEqual([received, sent]);
		expect(await started.messages.getMany([])).toEqual([]);
	});
});

describe('a message', () => {
	it.each(['Mail', 'Request', 'ResponseWrapper', 'Notification', 'ArbitraryMessageContent'])(
		'with content of the type %s is shown as it is',
		async (type) => {
			const record = { ...received, content: { '@type': type, value: 1 } };
			await add(record);
			expect(await started.messages.get('MSG2')).toEqual(record);
		},
	);

	it.each([{ '@type': 'Own' }, { subject: 'no type' }])(
		'with other content is shown in a wrapper: %j',
		async (content) => {
			await add({ ...received, content });
			const shown = {
				...received,
				content: { '@type': 'ArbitraryMessageContent', value: content },
			};
			expect(await started.messages.get('MSG2')).toEqual(shown);
			expect(await started.messages.list()).toEqual([shown]);
		},
	);

	it('without a record is named in the error', async () => {
		for (const work of [
			started.messages.get('MSG9'),
			started.messages.markAsRead('MSG9'),
			started.messages.markAsUnread('MSG9'),
		]) {
			const error = await failureOf(work);
			expect([error['code'], error['facts']]).toEqual([
				'error.runtime.recordNotFound',
				{ messageId: 'MSG9' },
			]);
		}
	});

	it('is marked as read and unread, with an event for each change', async () => {
		const { wasReadAt: _wasReadAt, ...unread } = received;
		await add(unread);
		const read = { ...unread, wasReadAt: new Date(bench.clock.now()).toISOString() };
		expect(await started.messages.markAsUnread('MSG2')).toStrictEqual(unread);
		expect(await started.messages.markAsRead('MSG2')).toStrictEqual(read);
		bench.clock.advance(1_000);
		expect(await started.messages.markAsRead('MSG2')).toStrictEqual(read);
		expect(await started.messages.get('MSG2')).toStrictEqual(read);
		expect(await started.messages.markAsUnread('MSG2')).toStrictEqual(unread);
		expect(await started.messages.get('MSG2')).toStrictEqual(unread);
		const events = await started.store.read((tx) => tx.outbox.readAfter(0, 10));
		expect(events).toMatchObject([
			{ name: 'transport.messageWasReadAtChanged', peer: bob, subject: 'MSG2', data: read },
			{ name: 'transport.messageWasReadAtChanged', data: unread },
		]);
	});
});

describe('sending', () => {
	const mail = { '@type': 'Mail', to: [bob], subject: 's', body: 'b' };

	it.each<[object, string]>([
		[{ recipients: [], content: mail }, 'recipients'],
		[{ recipients: ['stranger'], content: mail }, 'recipients.0'],
		[
			{ recipients: [bob, bob], content: { '@type': 'ArbitraryMessageContent', value: 1 } },
			'recipients',
		],
		[{ recipients: Array.from({ length: 1_001 }, () => bob), content: mail }, 'recipients'],
		[{ recipients: [bob], content: mail, attachments: ['FIL1'] }, 'attachments.0'],
		[
			{
				recipients: [bob],
				content: mail,
				attachments: [`FIL${'1'.repeat(17)}`, `FIL${'1'.repeat(17)}`],
			},
			'attachments',
		],
		[{ recipients: [bob], content: mail, more: 1 }, ''],
	])('refuses %j', async (input, field) => {
		const error = await failureOf(started.messages.send(input));
		expect(error['code']).toBe('error.runtime.validation.invalidPropertyValue');
		expect(String((error['facts'] as { field: unknown }).field)).toContain(field);
		expect(bench.callsTo('Messages')).toBe(0);
	});

	it('refuses an attachment that the account does not know', async () => {
		const id = `FIL${'1'.repeat(17)}`;
		const input = { recipients: [bob], content: mail, attachments: [id] };
		const error = await failureOf(started.messages.send(input));
		expect(error['code']).toBe('error.runtime.recordNotFound');
		expect(error.message).toContain(id);
	});
});
