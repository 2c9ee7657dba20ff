import { loosely } from '../../../support/loosely';
import { failureOf } from '../../backbone/fixture-server';
import {
	afterLateArrivalMs,
	mailTo,
	peers,
	SendBench,
	timings,
	type SendingProcess,
} from './send-bench';

/* Messages that are committed together with another change. */

let bench: SendBench;
let started: SendingProcess;
beforeEach(async () => {
	bench = await SendBench.open();
	started = await bench.start();
});
afterEach(() => bench.close());

const [one, other] = peers as [string, string];
const outcomeUnknown = 'error.gateway.messages.outcomeUnknown';
const invalid = 'error.platform.validation.invalidPropertyValue';

const prepare = (peer = one, key?: string, subject?: string) =>
	started.store.transact((tx) =>
		started.preparedMessages.prepare(tx, peer, loosely(mailTo(peer, subject).content), key),
	);

const findEarlier = (key = 'once') =>
	started.store.transact((tx) => started.preparedMessages.findEarlier(tx, key));

const codeOf = async (work: Promise<unknown>): Promise<unknown> => (await failureOf(work))['code'];

const bodies = async (): Promise<unknown[]> =>
	(await started.store.read((tx) => tx.sendIntents.list())).map(
		({ record }) => record.postBody?.['body'],
	);

describe('a message that was prepared earlier under a key', () => {
	it('is none without that key', async () => {
		await prepare(one, 'other');
		expect(await findEarlier()).toBeUndefined();
	});

	it('waits with its content, and can be sent', async () => {
		const { intentId } = await prepare(one, 'once');
		const earlier = await findEarlier();
		if (earlier?.state !== 'waiting') throw new Error('The message does not wait');
		expect(earlier).toMatchObject({ content: mailTo(one).content, message: { intentId } });
		await earlier.message.send({});
		expect(bench.backbone.storedCount).toBe(1);
	});

	it('is known by its ID once it was sent', async () => {
		await (await prepare(one, 'once')).send({});
		expect(await findEarlier()).toEqual({ state: 'sent', messageId: 'MSG00000000000000001' });
	});

	it('is forgotten if it has failed', async () => {
		const { send } = await prepare(one, 'once');
		bench.backbone.reception = 'refuses';
		expect(await codeOf(send({}))).toBe(invalid);
		expect(await bench.state()).toBe('failed');
		expect(await findEarlier()).toBeUndefined();
		expect(await bench.state()).toBe('absent');
	});
});

describe('a required message', () => {
	it('needs peers that are ready', async () => {
		const asked: unknown[] = [];
		bench.beforeSealing = (named) => {
			asked.push(named);
			return Promise.resolve();
		};
		await started.preparedMessages.ready([one, other], {});
		expect(asked).toEqual([[one, other]]);
	});

	it('is not open for others while its call is under way', async () => {
		bench.backbone.reception = 'waits';
		const sending = failureOf((await prepare()).send({}));
		while (bench.backbone.posted.length === 0) await new Promise(setImmediate);
		expect(await started.messages.unresolvedSends()).toEqual([]);
		bench.backbone.refuseWaiting('oldest');
		expect((await sending)['code']).toBe(invalid);
	});

	it('waits for another attempt if the Backbone refuses it for now', async () => {
		const { send } = await prepare();
		bench.backbone.reception = 'refusesForNow';
		expect(await codeOf(send({}))).toBe(outcomeUnknown);
		expect(await bench.state()).toBe('required');
		bench.backbone.reception = 'accepts';
		expect(await started.settle()).toEqual(['MSG00000000000000001']);
	});

	it('names itself when it has to wait for another one', async () => {
		await prepare();
		await prepare();
		const { intentId, send } = await prepare();
		bench.backbone.reception = 'losesCall';
		const error = await failureOf(send({}));
		expect([error['code'], error['facts']]).toEqual([outcomeUnknown, { intentId }]);
		expect(bench.backbone.posted).toHaveLength(1);
	});

	it('ends with the signal of its caller', async () => {
		await prepare(other);
		const { send } = await prepare();
		const abort = new AbortController();
		bench.backbone.reception = 'waits';
		const sending = failureOf(send({ signal: abort.signal }));
		while (bench.backbone.posted.length === 0) await new Promise(setImmediate);
		abort.abort();
		expect(await sending).toBe(abort.signal.reason);
		expect(bench.backbone.posted).toHaveLength(1);
	});
});

describe('a sync with several required messages', () => {
	it('goes on with the next one after a refusal', async () => {
		await prepare();
		await prepare();
		bench.backbone.next.push('refuses');
		expect(await started.settle()).toEqual(['MSG00000000000000001']);
		expect(bench.backbone.posted).toHaveLength(2);
	});

	it('does not overtake the call of another process', async () => {
		await prepare();
		await prepare();
		const [first] = await bodies();
		const slow = await bench.start();
		bench.clock.advance(timings.claimTtlMs);
		await slow.settle();
		bench.clock.advance(afterLateArrivalMs);
		bench.backbone.reception = 'waits';
		const calling = slow.settle();
		while (bench.backbone.posted.length === 0) await new Promise(setImmediate);
		bench.backbone.reception = 'accepts';
		expect(await started.settle()).toStrictEqual([]);
		expect(bench.backbone.posted).toEqual([first]);
		bench.backbone.refuseWaiting('oldest');
		await calling;
	});

	it('ends with its signal', async () => {
		await prepare();
		await prepare(other);
		const abort = new AbortController();
		bench.backbone.reception = 'waits';
		const { signal } = abort;
		const syncing = failureOf(started.settle(signal));
		while (bench.backbone.posted.length === 0) await new Promise(setImmediate);
		abort.abort();
		expect(await syncing).toBe(signal.reason);
		expect(bench.backbone.posted).toHaveLength(1);
	});
});
