import { workRecord } from '../../../support/records';
import { loosely } from '../../../support/loosely';
import type { JsonObject } from '../../../../core/model/json';
import { failureOf } from '../../backbone/fixture-server';
import { afterLateArrivalMs, mailTo, peers, SendBench, type SendingProcess } from './send-bench';

const outcomeUnknown = { code: 'error.gateway.messages.outcomeUnknown' };

let bench: SendBench;
let process: SendingProcess;

beforeEach(async () => {
	bench = await SendBench.open();
	process = await bench.start();
});
afterEach(() => bench.close());

const [one = '', other = ''] = peers;

const prepare = async (peer: string) =>
	await process.store.transact((tx) =>
		process.preparedMessages.prepare(tx, peer, loosely(mailTo(peer).content)),
	);

/** The sealed bodies of open sends, in the order of their preparation. */
const bodies = async (): Promise<unknown[]> =>
	(await process.store.read((tx) => tx.sendIntents.list())).map(
		({ record }) => (record.postBody as JsonObject)['body'],
	);

/** Plans the next try of the first open send for much later. */
async function planForLater(): Promise<void> {
	await process.store.transact(async (tx) => {
		const [entry] = await tx.sendIntents.list();
		if (entry === undefined) throw new Error('There is no send');
		const dueAt = '2031-01-01T00:00:00.000Z';
		await tx.work.update(workRecord(entry.record.id, 'sendMessage', { dueAt, attempts: 3 }));
	});
}

/** Bodies that were posted since then. */
const postedSince = (count: number): string[] => bench.backbone.posted.slice(count);

describe('a required message', () => {
	it('is called for at once, without a search', async () => {
		const { intentId, send } = await prepare(one);
		expect(await process.preparedMessages.isWaiting(intentId, {})).toBe(true);
		await send({});
		expect(await process.preparedMessages.isWaiting(intentId, {})).toBe(false);
		expect(bench.searches).toBe(0);
		expect(bench.backbone.posted).toHaveLength(1);
		expect(await bench.published()).toEqual(['transport.messageSent']);
	});

	it('is looked for when it is sent once more', async () => {
		const { send } = await prepare(one);
		bench.backbone.reception = 'losesAnswer';
		expect(await failureOf(send({}))).toMatchObject(outcomeUnknown);
		await send({});
		expect(bench.backbone.posted).toHaveLength(1);
		expect(await bench.state()).toBe('absent');
	});

	it('that was sent by a sync needs no second call', async () => {
		const { send } = await prepare(one);
		await process.settle();
		await send({});
		expect(bench.backbone.posted).toHaveLength(1);
	});

	it('goes after those that wait for its peer, and waits with them after a failure', async () => {
		await prepare(one);
		const { send } = await prepare(one);
		const [first, second] = await bodies();
		bench.backbone.reception = 'losesCall';
		expect(await failureOf(send({}))).toMatchObject(outcomeUnknown);
		expect(bench.backbone.posted).toEqual([first]);
		bench.backbone.reception = 'accepts';
		expect(await failureOf(send({}))).toMatchObject(outcomeUnknown);
		bench.clock.advance(afterLateArrivalMs);
		await send({});
		expect(bench.backbone.posted).toEqual([first, first, second]);
	});

	it('goes after a refused one, whose refusal is not a failure of its own', async () => {
		await prepare(one);
		const { send } = await prepare(one);
		const expected = await bodies();
		bench.backbone.reception = 'refuses';
		expect(await failureOf(send({}))).toMatchObject({
			code: 'error.platform.validation.invalidPropertyValue',
		});
		expect(bench.backbone.posted).toEqual(expected);
		expect(await bench.published()).toEqual(['gateway.messageNotSent', 'gateway.messageNotSent']);
	});

	it('takes others with it, unless their next try is planned for later', async () => {
		await prepare(other);
		await (await prepare(one)).send({});
		expect(bench.backbone.posted).toHaveLength(2);
		await prepare(other);
		await planForLater();
		await (await prepare(one)).send({});
		expect(bench.backbone.posted).toHaveLength(3);
		await (await prepare(other)).send({});
		expect(bench.backbone.posted).toHaveLength(5);
	});
});

describe('a sync', () => {
	it('sends to other peers after a failure, and to the same one next time', async () => {
		await prepare(one);
		await prepare(one);
		await prepare(other);
		const [first, second, third] = await bodies();
		bench.backbone.reception = 'losesCall';
		await process.settle();
		expect(bench.backbone.posted).toEqual([first, third]);
		bench.backbone.reception = 'accepts';
		await process.settle();
		bench.clock.advance(afterLateArrivalMs);
		await process.settle();
		expect(postedSince(2)).toEqual([first, second, third]);
		expect(await bench.state()).toBe('absent');
	});

	it('lets a send alone whose call is under way', async () => {
		const { messages } = process;
		bench.backbone.reception = 'waits';
		const sending = failureOf(messages.send(mailTo(one)));
		while (bench.backbone.posted.length === 0) await new Promise(setImmediate);
		expect(await messages.unresolvedSends()).toEqual([]);
		bench.clock.advance(11 * 60_000);
		await process.settle();
		expect(await bench.state()).toBe('pending');
		bench.backbone.refuseWaiting('oldest');
		await sending;
		expect(bench.backbone.posted).toHaveLength(1);
	});
});
