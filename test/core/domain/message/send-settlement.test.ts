import { workIn } from '../../../support/records';
import { loosely } from '../../../support/loosely';
import type { ObserverTable } from '../../../../core/domain/observers';
import type { SendIntentRecord } from '../../../../core/model/record/message';
import { failureOf, json, problem } from '../../backbone/fixture-server';
import { mailTo, own, peers, SendBench, timings, type SendingProcess } from './send-bench';

let bench: SendBench;
let started: SendingProcess;
beforeEach(async () => {
	bench = await SendBench.open();
	started = await bench.start();
});
afterEach(() => bench.close());

const [bob, carol] = peers as [string, string];
const outcomeUnknown = { code: 'error.gateway.messages.outcomeUnknown' };

/** Sends a message whose answer is lost. */
const lose = async (
	reception: 'losesAnswer' | 'losesCall' = 'losesCall',
	idempotencyKey?: string,
): Promise<void> => {
	bench.backbone.reception = reception;
	const sending = started.messages.send(mailTo(bob), { idempotencyKey });
	expect(await failureOf(sending)).toMatchObject(outcomeUnknown);
	bench.backbone.reception = 'accepts';
};

const change = async (parts: Partial<SendIntentRecord>): Promise<void> =>
	await started.store.transact(async (tx) => {
		const entry = await tx.sendIntents.first();
		if (entry !== undefined) await tx.sendIntents.update({ ...entry.record, ...parts });
	});

const request = async (): Promise<void> => {
	const { id = '' } = (await bench.intent()) ?? {};
	await started.store.transact((tx) => started.sendIntents.request(tx, id));
};

const work = async () => await workIn(started.store, (await bench.intent())?.id ?? '');

describe('a sync', () => {
	it('returns what it has found at the Backbone', async () => {
		await lose('losesAnswer');
		const [id] = await started.settle();
		expect(id).toBe('MSG00000000000000001');
		expect(await started.messages.get(id ?? '')).toMatchObject({ isOwn: true, createdBy: own });
		expect(bench.backbone.posted).toHaveLength(1);
	});

	it('returns what it has sent because a person wanted it', async () => {
		await lose();
		await request();
		expect(await started.settle()).toEqual([]);
		bench.clock.advance(timings.claimTtlMs);
		expect(await started.settle()).toEqual(['MSG00000000000000001']);
	});

	it('returns nothing that is still open, and lets others go on with it', async () => {
		await lose();
		expect(await started.settle()).toStrictEqual([]);
		await request();
		const other = await bench.start();
		// The claim of the first process has not expired.
		expect(await other.settle()).toStrictEqual([]);
		expect(await bench.state()).toBe('requested');
		expect(await work()).not.toHaveProperty('failure');
	});

	it('looks for nothing that is finished, or planned for later', async () => {
		await started.messages.send(mailTo(bob), { idempotencyKey: 'once' });
		await started.settle();
		expect(bench.searches).toBe(0);
		await lose();
		await started.store.transact(async (tx) => {
			for (const { record } of await tx.work.list()) {
				await tx.work.update({ ...record, dueAt: '2031-01-01T00:00:00.000Z' });
			}
		});
		expect(await started.settle()).toStrictEqual([]);
		expect(bench.searches).toBe(0);
	});

	it('leaves required messages to their delivery', async () => {
		await started.store.transact((tx) =>
			started.preparedMessages.prepare(tx, bob, loosely(mailTo(bob).content)),
		);
		expect(await started.settlePending()).toStrictEqual([]);
		expect(bench.searches).toBe(0);
		expect(await started.settle()).toEqual(['MSG00000000000000001']);
	});

	it('counts a failed search for each send', async () => {
		await lose();
		bench.backbone.listing = problem(403, 'error.platform.forbidden');
		expect(await started.settle()).toStrictEqual([]);
		expect(await work()).toMatchObject({
			attempts: 1,
			failure: { code: 'error.platform.forbidden' },
		});
	});

	it('gives nothing up as long as an unreadable message may be the wanted one', async () => {
		await lose();
		const pagination = { pageNumber: 1, pageSize: 1, totalPages: 1, totalRecords: 1 };
		bench.backbone.listing = json(200, { result: [{ id: 'MSG1' }], pagination });
		bench.clock.advance(11 * 60_000);
		expect(await started.settle()).toStrictEqual([]);
		expect(await bench.state()).toBe('pending');
		expect((await work())?.failure?.code).toBe('error.gateway.backbone.unexpectedAnswer');
	});
});

describe('the event about a message that was not sent', () => {
	it.each([undefined, 'once'])(
		'has everything that was to be sent, and the key: %s',
		async (key) => {
			await lose('losesCall', key);
			const { id: intentId, createdAt } = (await bench.intent()) ?? {};
			await started.settle();
			bench.clock.advance(timings.lateArrivalMs - 1);
			await started.settle();
			expect(await bench.published()).toEqual([]);
			bench.clock.advance(2_000);
			await started.settle();
			const [event] = await started.store.read((tx) => tx.outbox.readAfter(0, 1));
			expect(event).toMatchObject({ name: 'gateway.messageNotSent', subject: intentId });
			expect(event?.data).toStrictEqual({
				...{ intentId, createdAt, recipients: [bob], attachments: [] },
				...(key === undefined ? {} : { idempotencyKey: key }),
				content: expect.objectContaining(mailTo(bob).content) as unknown,
				code: 'error.gateway.messages.notSent',
				message: expect.any(String) as unknown,
			});
		},
	);
});

describe('a message that is completed', () => {
	it('is observed once', async () => {
		const observed: unknown[] = [];
		bench.observers.connect({
			messageSent: [
				{
					messageSent: (_tx: unknown, { id }: { readonly id: string }) => {
						observed.push(id);
						return Promise.resolve();
					},
				},
			],
		} as unknown as ObserverTable);
		const { id } = await started.messages.send(mailTo(bob));
		expect(observed).toEqual([id]);
	});

	it('has the recipients that are left since it was prepared', async () => {
		await lose('losesAnswer');
		const entry = await started.store.read((tx) => tx.sendIntents.first());
		if (entry === undefined) throw new Error('There is no send');
		await change({ recipients: [{ address: 'a pseudonym' }, { address: carol }] });
		const sent = { id: 'MSG00000000000000001', createdAt: entry.record.createdAt };
		const stored = await started.sendIntents.complete(entry, sent);
		expect(stored.recipients).toEqual([{ address: 'a pseudonym' }, { address: carol }]);
	});

	it('is not stored when its send is gone', async () => {
		await lose('losesAnswer');
		const entry = await started.store.read((tx) => tx.sendIntents.first());
		if (entry === undefined) throw new Error('There is no send');
		await started.store.transact((tx) => tx.sendIntents.delete(entry.record.id));
		const sent = { id: 'MSG00000000000000001', createdAt: entry.record.createdAt };
		expect(await started.sendIntents.complete(entry, sent)).toMatchObject({
			...sent,
			recipients: [{ address: bob }],
		});
		expect(await started.messages.list()).toEqual([]);
		expect(await bench.published()).toEqual([]);
	});
});
