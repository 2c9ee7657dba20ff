import { arrivals, settle } from '../../support/gateways';
import { judged, type Gateway } from '../../../core';
import { partsOf } from '../../../core/gateway/gateway-parts';
import type { TestClock } from '../../support/clock';
import type { SandboxNetwork } from '../../support/gateways';
import { ProblemBench } from '../../support/problem-bench';
import { until } from '../../support/until';

jest.setTimeout(120_000);

const hourMs = 3_600_000;
/** time after which a list decides about a call, and the error of two `Date` headers */
const lateArrivalMs = 2 * 60_000 + 2_000;
const odd = 'error.gateway.backbone.unexpectedAnswer';

let bench: ProblemBench;
let network: SandboxNetwork;
let clock: TestClock;
let gateway: Gateway;

beforeEach(async () => {
	bench = await ProblemBench.open();
	({ network, clock, gateway } = bench);
});

afterEach(() => bench.close());

describe('an external event that keeps failing', () => {
	it('is listed with the time of its next try, and tried earlier when asked for', async () => {
		const id = await bench.fail();
		expect(await gateway.problems.list({ kind: 'receivedEvent' })).toEqual([
			{
				id,
				kind: 'receivedEvent',
				subject: 'MessageReceived',
				since: expect.any(String) as string,
				code: odd,
				message: expect.any(String) as string,
				isRetriedAutomatically: true,
				isDiscardable: false,
				nextTryAt: new Date(clock.now() + 2_000).toISOString(),
			},
		]);
		network.backbone.faults.clear();
		expect(await gateway.problems.retry({ ids: [id] })).toEqual([
			{ id, kind: 'receivedEvent', outcome: 'solved' },
		]);
		expect(await bench.received()).toEqual(['odd']);
		expect(await gateway.problems.list()).toEqual([]);
	});

	it('is given up, and applied once when two processes try it again after its cause is gone', async () => {
		const id = await bench.park();
		expect(await gateway.problems.list()).toMatchObject([
			{ id, kind: 'receivedEvent', code: odd, isRetriedAutomatically: false },
		]);
		network.backbone.faults.clear();
		const other = await bench.elsewhere();
		const both = await Promise.all([
			gateway.problems.retry({ ids: [id] }),
			other.problems.retry({ ids: [id, id] }),
			gateway.problems.retry({ ids: [id] }),
		]);
		const solved = [{ id, kind: 'receivedEvent', outcome: 'solved' }];
		expect(both).toEqual([solved, solved, solved]);
		expect(await bench.received()).toEqual(['odd']);
		expect(await bench.told('transport.messageReceived')).toHaveLength(1);
		expect(await gateway.problems.list()).toEqual([]);
		expect(await gateway.problems.retry({ ids: [id] })).toEqual(solved);
	});

	it('stays given up when its cause is still there, and is not told again', async () => {
		const id = await bench.park();
		expect(await bench.told('gateway.externalEventGivenUp')).toHaveLength(1);
		expect(await gateway.problems.retry({ ids: [id] })).toMatchObject([
			{ id, outcome: 'failed', code: odd },
		]);
		expect(await gateway.problems.list()).toMatchObject([{ id, isRetriedAutomatically: false }]);
		expect(await bench.told('gateway.externalEventGivenUp')).toHaveLength(1);
	});

	it('stays asked for when the Backbone is away', async () => {
		const id = await bench.park();
		network.backbone.faults.clear();
		network.backbone.faults.add({
			path: /./,
			times: 1_000,
			action: { kind: 'status', status: 503 },
		});
		await expect(gateway.problems.retry({ ids: [id] })).rejects.toMatchObject({
			kind: 'unavailable',
		});
		expect(await gateway.problems.list()).toMatchObject([{ id, isRetriedAutomatically: true }]);
		network.backbone.faults.clear();
		await settle(gateway);
		expect(await bench.received()).toEqual(['odd']);
	});
});

describe('a message of unknown outcome', () => {
	it('is listed with its recipients, and found at the Backbone', async () => {
		const id = await bench.lose('cutAfter');
		expect(await gateway.problems.list()).toEqual([
			{
				id: expect.stringMatching(/^SND/) as string,
				kind: 'sending',
				subject: 'Mail',
				since: expect.any(String) as string,
				code: 'error.gateway.messages.outcomeUnknown',
				message: expect.any(String) as string,
				isRetriedAutomatically: false,
				isDiscardable: true,
				recipients: [bench.addressOfPeer],
			},
		]);
		expect(await gateway.problems.retry({ ids: [id] })).toEqual([
			{ id, kind: 'sending', outcome: 'solved' },
		]);
		expect(await bench.arrived()).toEqual(['before', 'lost']);
		expect(await gateway.problems.list()).toEqual([]);
	});

	it('is sent once when the Backbone does not have it, however often it is asked for', async () => {
		const id = await bench.lose('cutBefore');
		expect(await gateway.problems.retry({ ids: [id] })).toMatchObject([{ id, outcome: 'waiting' }]);
		// The Backbone may still carry out the first call: only then is it sent.
		bench.pass(lateArrivalMs);
		const other = await bench.elsewhere();
		await Promise.all([
			gateway.problems.retry({ ids: [id] }),
			other.problems.retry({ ids: [id] }),
			arrivals(gateway),
		]);
		expect(await bench.arrived()).toEqual(['before', 'lost']);
		expect(await gateway.problems.list()).toEqual([]);
		expect(await bench.told('transport.messageSent')).toHaveLength(2);
	});

	it('is not given up any more after a person wanted it sent', async () => {
		const id = await bench.lose('cutBefore', 3);
		await gateway.problems.retry({ ids: [id] });
		bench.pass(hourMs);
		await settle(gateway);
		expect(await gateway.problems.list()).toMatchObject([{ id, isRetriedAutomatically: true }]);
		expect(await bench.told('gateway.messageNotSent')).toEqual([]);
		network.backbone.faults.clear();
		for (let times = 0; times < 2; times++) {
			bench.pass(lateArrivalMs);
			await settle(gateway);
		}
		expect(await bench.arrived()).toEqual(['before', 'lost']);
	});

	it('is told to be not sent when the Backbone refuses it now', async () => {
		const id = await bench.lose('cutBefore');
		await settle(gateway);
		bench.pass(lateArrivalMs);
		const code = 'error.platform.validation.message.maxNumberOfUnreceivedMessagesReached';
		const error = { id: 'ERR1', code, message: 'full', docs: '', time: '2030-01-01T00:00:00Z' };
		network.backbone.faults.add({
			method: 'POST',
			path: /Messages/,
			action: { kind: 'status', status: 400, body: { error } },
		});
		expect(await gateway.problems.retry({ ids: [id] })).toMatchObject([
			{ id, outcome: 'failed', code },
		]);
		expect(await bench.told('gateway.messageNotSent')).toMatchObject([{ intentId: id, code }]);
		expect(await gateway.problems.list()).toEqual([]);
	});
});

describe('an event that a consumer did not take', () => {
	it('is listed, and delivered once more when asked for', async () => {
		const given = await bench.consume('webhook:orders');
		await bench.refuse(1, 'for the webhook');
		const [problem] = await gateway.problems.list({ kind: 'delivery' });
		expect(problem).toEqual({
			id: `${problem?.eventId}@webhook:orders`,
			kind: 'delivery',
			subject: 'transport.messageReceived',
			since: new Date(clock.now()).toISOString(),
			message: 'answered 500',
			isRetriedAutomatically: false,
			isDiscardable: true,
			consumer: 'webhook:orders',
			eventId: expect.stringMatching(/^EVT\d{12}$/) as string,
			createdAt: new Date(clock.now()).toISOString(),
			isErased: false,
		});
		const ids = [problem?.id ?? ''];
		expect(await gateway.problems.retry({ ids })).toMatchObject([
			{ kind: 'delivery', outcome: 'waiting' },
		]);
		await until(async () => (await gateway.problems.list()).length === 0);
		expect(given).toHaveLength(2);
	});

	it('is found by its consumer or its id, and all of one consumer are delivered at once', async () => {
		const given = await bench.consume('webhook:a');
		const others = await bench.consume('webhook:b');
		await bench.refuse(2, 'one', 'two');
		const ofA = await gateway.problems.list({ consumer: 'webhook:a' });
		expect(ofA.map(({ consumer }) => consumer)).toEqual(['webhook:a', 'webhook:a']);
		const ids = [ofA[1]?.id ?? '', 'EVT000000000000@webhook:a'];
		expect(await gateway.problems.list({ ids })).toEqual([ofA[1]]);
		expect(await gateway.problems.list({ consumer: 'webhook:b', ids })).toEqual([]);
		expect(await gateway.problems.list({ consumer: 'webhook:c' })).toEqual([]);
		const retried = await gateway.problems.retry({ all: true, consumer: 'webhook:a' });
		expect(retried.map(({ id }) => id).sort()).toEqual(ofA.map(({ id }) => id).sort());
		await until(async () => (await gateway.problems.list()).length === 2);
		expect([given.length, others.length]).toEqual([4, 2]);
	});

	it('is shown as wanted again while its consumer does not run', async () => {
		await bench.consume('webhook:orders');
		await bench.refuse(1, 'for the webhook');
		await bench.stopConsumers();
		await gateway.problems.retry({ all: true, kind: 'delivery' });
		expect(await gateway.problems.list()).toMatchObject([{ isRetriedAutomatically: true }]);
	});

	it('is shown without its data when that was erased', async () => {
		await bench.consume('webhook:orders');
		await bench.refuse(1, 'for the webhook');
		const [message] = await gateway.messages.list({
			query: { 'content.subject': 'for the webhook' },
		});
		const { store } = partsOf(gateway);
		await store.transact((tx) => tx.outbox.erase(message?.id ?? ''));
		expect(await gateway.problems.list()).toMatchObject([{ isErased: true, isDiscardable: true }]);
	});
});

describe('a selection', () => {
	it('of a problem that does not exist is refused', async () => {
		const ids = ['SYI00000000000000000', 'constructor'];
		const refusal = {
			code: 'error.gateway.problems.unknown',
			kind: 'notFound',
			remedy: expect.any(String) as string,
			facts: { problemIds: ids },
		};
		await expect(gateway.problems.retry({ ids })).rejects.toMatchObject(refusal);
		await expect(gateway.problems.discard({ ids })).rejects.toMatchObject(refusal);
	});

	it('of all is empty when there is nothing', async () => {
		expect(await gateway.problems.retry({ all: true })).toEqual([]);
		expect(await gateway.problems.discard({ all: true })).toEqual([]);
	});

	it.each([
		[{}],
		[{ ids: [] }],
		[{ ids: 'SYI1' }],
		[{ ids: [7] }],
		[{ ids: ['a'], all: true }],
		[{ ids: ['a'], kind: 'sending' }],
		[{ ids: ['a'], consumer: 'webhook:a' }],
		[{ kind: 'delivery' }],
		[{ consumer: 'webhook:a' }],
		[{ all: false }],
		[{ all: true, consumer: 5 }],
		[{ all: true, unknown: 1 }],
		[7],
	])('as %j is refused', async (input) => {
		const refusal = { code: 'error.gateway.problems.invalidSelection', kind: 'invalid' };
		await expect(gateway.problems.retry(judged(input))).rejects.toMatchObject(refusal);
		await expect(gateway.problems.discard(judged(input))).rejects.toMatchObject(refusal);
	});

	it.each([{ kind: 'other' }, { unknown: 1 }, { ids: 'EVT1' }, { consumer: 5 }, 'sending'])(
		'of a list as %j is refused',
		async (input) => {
			await expect(gateway.problems.list(judged(input))).rejects.toMatchObject({
				code: 'error.gateway.problems.invalidSelection',
			});
		},
	);
});
