import type { ObserverTable } from '../../../../core/domain/observers';
import type { NewWait } from '../../../../core/model/record/wait';
import { failureOf } from '../../backbone/fixture-server';
import { mailTo, own, peers, SendBench, type SendingProcess } from './send-bench';

let bench: SendBench;
let started: SendingProcess;
beforeEach(async () => {
	bench = await SendBench.open();
	started = await bench.start();
});
afterEach(() => bench.close());

const [bob, carol] = peers as [string, string];
const outcomeUnknown = 'error.gateway.messages.outcomeUnknown';
const invalid = 'error.runtime.validation.invalidPropertyValue';

const codeOf = async (work: Promise<unknown>): Promise<unknown> => (await failureOf(work))['code'];

const planDeletion = async (deletionStatus?: 'ToBeDeleted' | 'Deleted'): Promise<void> => {
	await started.store.transact(async (tx) => {
		const where = [{ field: 'peer', op: 'eq', value: bob }] as const;
		const entry = await tx.relationships.first({ where });
		if (entry === undefined) throw new Error('There is no relationship');
		const { peerDeletionInfo: _info, ...rest } = entry.record;
		const info = { deletionStatus, deletionDate: '2030-02-01T00:00:00.000Z' };
		await tx.relationships.update(
			deletionStatus === undefined
				? rest
				: { ...rest, peerDeletionInfo: { ...info, deletionStatus } },
		);
	});
};

describe('sending a message', () => {
	it('stores it as the Backbone has accepted it', async () => {
		const sent = await started.messages.send(mailTo(bob));
		const { content } = mailTo(bob);
		expect(sent).toMatchObject({
			...{ id: 'MSG00000000000000001', isOwn: true, createdBy: own, content, attachments: [] },
			recipients: [{ address: bob }],
		});
		expect(await started.messages.get(sent.id)).toEqual(sent);
		expect(bench.openedBy()).toMatchObject({ content, attachments: [], recipients: [bob] });
	});

	it.each([
		[{ recipients: [bob], content: { ...mailTo(bob).content, to: [bob, carol] } }, 'recipients'],
		[{ recipients: [bob], content: { ...mailTo(bob).content, cc: [bob] } }, 'content.to'],
	])('refuses a Mail whose addresses differ from its recipients (%#)', async (input, field) => {
		const error = await failureOf(started.messages.send(input));
		expect([error['code'], error['facts']]).toEqual([invalid, { field }]);
		expect(await bench.state()).toBe('absent');
	});

	it('compares the addresses of a Mail only', async () => {
		const content = { '@type': 'ArbitraryMessageContent', value: 1 };
		expect(await started.messages.send({ recipients: [bob], content })).toMatchObject({ content });
	});

	it('asks about the recipients only if one of them plans to delete its identity', async () => {
		const asked: Array<readonly string[]> = [];
		bench.beforeSealing = (named) => {
			asked.push(named);
			return Promise.resolve();
		};
		await started.messages.send(mailTo(bob));
		expect(asked).toEqual([[]]);
		await planDeletion('ToBeDeleted');
		expect(await codeOf(started.messages.send(mailTo(bob)))).toBe(
			'error.runtime.messages.peerIsInDeletion',
		);
		expect(asked).toEqual([[], [], [bob]]);
		await planDeletion('Deleted');
		expect(await codeOf(started.messages.send(mailTo(bob)))).toBe(
			'error.transport.messages.peerIsDeleted',
		);
		expect(asked).toHaveLength(4);
	});

	it('goes on if the deletion of the recipient was cancelled', async () => {
		await planDeletion('ToBeDeleted');
		bench.beforeSealing = async (named) => {
			if (named.length > 0) await planDeletion();
		};
		expect(await started.messages.send(mailTo(bob))).toMatchObject({ isOwn: true });
	});
});

describe('a message that is sent with a key', () => {
	const idempotencyKey = 'once';
	const send = (subject?: string) =>
		started.messages.send(mailTo(bob, subject), { idempotencyKey });

	it('is sent once', async () => {
		const sent = await send();
		expect(await send('other')).toEqual(sent);
		expect(bench.backbone.storedCount).toBe(1);
	});

	it('is sent once by callers at the same time', async () => {
		const [first, second] = await Promise.all([send(), send()]);
		expect(second).toEqual(first);
		expect(bench.backbone.storedCount).toBe(1);
	});

	it('is returned although no new one may be sealed', async () => {
		const sent = await send();
		bench.beforeSealing = () => Promise.reject(new Error('nothing may be sealed'));
		expect(await send('other')).toEqual(sent);
		const another = started.messages.send(mailTo(bob), { idempotencyKey: 'another' });
		await expect(another).rejects.toThrow('nothing may be sealed');
		await expect(started.messages.send(mailTo(bob))).rejects.toThrow('nothing may be sealed');
	});

	it('is sent anew after a refusal', async () => {
		bench.backbone.reception = 'refuses';
		expect(await codeOf(send())).toBe('error.platform.validation.invalidPropertyValue');
		bench.backbone.reception = 'accepts';
		expect(await send('other')).toMatchObject({ content: { subject: 'other' } });
	});

	it('is left to syncs if a person has requested it', async () => {
		bench.backbone.reception = 'losesCall';
		expect(await codeOf(send())).toBe(outcomeUnknown);
		const { id = '' } = (await bench.intent()) ?? {};
		await started.store.transact((tx) => started.sendIntents.request(tx, id));
		bench.backbone.reception = 'accepts';
		expect(await codeOf(send())).toBe(outcomeUnknown);
		expect(bench.backbone.storedCount).toBe(0);
	});

	it('needs its message as long as it says that it was sent', async () => {
		const { id } = await send();
		await started.store.transact((tx) => tx.messages.delete(id));
		const error = await failureOf(send());
		expect([error['code'], error['facts']]).toEqual([
			'error.runtime.recordNotFound',
			{ messageId: id },
		]);
	});
});

describe('a message whose answer an execution awaits', () => {
	const wait: NewWait = { id: 'node', key: 'the key', kind: 'mail' } as unknown as NewWait;
	let noted: Array<readonly [string, object]>;
	const send = (idempotencyKey?: string) =>
		started.messages.send(mailTo(bob), { wait, idempotencyKey });

	beforeEach(() => {
		noted = [];
		const note = (name: string) => (_tx: unknown, changed: object) => {
			noted.push([name, changed]);
			return Promise.resolve();
		};
		bench.observers.connect({
			messageAwaited: [{ messageAwaited: note('awaited') }],
			messageNotAwaited: [{ messageNotAwaited: note('not awaited') }],
		} as unknown as ObserverTable);
	});

	it('is awaited with its preparation, from that time of the Backbone on', async () => {
		bench.backbone.date = 'Mon, 31 Dec 2029 23:00:00 GMT';
		await started.messages.send(mailTo(bob));
		const { content } = await send();
		const { id: intentId, preparedAt, createdAt: askedAt } = (await bench.intent()) ?? {};
		// The own clock is in another year; time passes since the answer with the date.
		const sinceDateMs = Date.parse(preparedAt ?? '') - Date.parse(bench.backbone.date);
		expect(sinceDateMs).toBeGreaterThanOrEqual(0);
		expect(sinceDateMs).toBeLessThan(60_000);
		const times = { askedAt, notSentBefore: preparedAt };
		expect(noted).toEqual([['awaited', { wait, content, recipients: [bob], intentId, ...times }]]);
	});

	it('is kept under the key of the wait, unless the caller has another key', async () => {
		await send();
		expect((await bench.intent())?.idempotencyKey).toBe('the key');
		await send('own');
		const intents = await started.store.read((tx) => tx.sendIntents.list());
		expect(intents.map(({ record }) => record.idempotencyKey)).toEqual(['the key', 'own']);
	});

	it('is awaited again when it is repeated', async () => {
		const sent = await send();
		noted.length = 0;
		expect(await send()).toEqual(sent);
		const { id: intentId, createdAt: askedAt } = (await bench.intent()) ?? {};
		const { content, createdAt: notSentBefore } = sent;
		expect(noted).toEqual([
			['awaited', { wait, content, recipients: [bob], intentId, askedAt, notSentBefore }],
		]);
	});

	it.each([
		['refuses', 'error.platform.validation.invalidPropertyValue'],
		['losesCall', outcomeUnknown],
	] as const)('is not awaited any more if the Backbone %s it', async (reception, code) => {
		bench.backbone.reception = reception;
		expect(await codeOf(send())).toBe(code);
		expect(noted.map(([name]) => name)).toEqual(['awaited', 'not awaited']);
		expect(noted[1]?.[1]).toEqual(wait);
	});

	it('fails with its own error if the end of the wait is not stored', async () => {
		bench.backbone.reception = 'refuses';
		bench.observers.connect({
			messageNotAwaited: [{ messageNotAwaited: () => Promise.reject(new Error('full')) }],
		} as unknown as ObserverTable);
		expect(await codeOf(send())).toBe('error.platform.validation.invalidPropertyValue');
	});

	it('concerns only executions that wait', async () => {
		await started.messages.send(mailTo(bob), { idempotencyKey: 'own' });
		await started.messages.send(mailTo(bob), { idempotencyKey: 'own' });
		await failureOf(started.messages.send({}));
		expect(noted).toEqual([]);
	});
});

it('sends that have ended are not unresolved', async () => {
	await started.messages.send(mailTo(bob), { idempotencyKey: 'once' });
	expect(await started.messages.unresolvedSends()).toEqual([]);
	bench.backbone.reception = 'losesCall';
	await failureOf(started.messages.send(mailTo(bob)));
	expect(await started.messages.unresolvedSends()).toHaveLength(1);
});
