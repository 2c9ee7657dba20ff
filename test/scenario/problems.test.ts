import type { Gateway, GatewayConfigInput } from '../../core';
import type { Delivery } from '../../core/events/event-types';
import { TestClock } from '../support/clock';
import { mailTo, relate, TestNetwork } from '../support/gateways';
import { until } from '../support/until';

jest.setTimeout(120_000);

const hourMs = 3_600_000;
const odd = 'error.gateway.backbone.unexpectedAnswer';

let network: TestNetwork;
let clock: TestClock;
let config: GatewayConfigInput;
let gateway: Gateway;
let peer: Gateway;
let address: string;
let addressOfPeer: string;

beforeEach(async () => {
	network = await TestNetwork.open();
	clock = new TestClock(Date.now());
	config = network.config();
	gateway = await network.gateway(config, { clock });
	peer = await network.gateway();
	({ addressA: address, addressB: addressOfPeer } = await relate(gateway, peer));
	// The first one of a process also looks for a restored backup.
	await gateway.messages.send(mailTo(addressOfPeer, 'before'));
});

afterEach(() => network.close());

const told = async (name: string): Promise<unknown[]> =>
	(await gateway.events.recent({ names: [name] }, 100)).map(({ data }) => data);
const received = async (): Promise<unknown[]> =>
	(await gateway.messages.list())
		.filter(({ isOwn }) => !isOwn)
		.map(({ content }) => content['subject']);
const arrived = async (): Promise<unknown[]> => {
	await peer.account.sync();
	return (await peer.messages.list()).map(({ content }) => content['subject']);
};

/** The same account in another process of this machine. */
const elsewhere = (): Promise<Gateway> => network.gateway(config, { clock });

describe('an external event that keeps failing', () => {
	/** Answers the id of the problem. */
	async function fail(): Promise<string> {
		const { id } = await peer.messages.send(mailTo(address, 'odd'));
		network.backbone.faults.add({
			method: 'GET',
			path: new RegExp(`Messages.*${id}`),
			times: 1_000,
			action: { kind: 'status', status: 200, body: { result: { id: 'none of this' } } },
		});
		await gateway.account.sync();
		const [problem] = await gateway.problems.list();
		return problem?.id ?? '';
	}

	async function park(): Promise<string> {
		const id = await fail();
		for (let times = 0; times < 5; times++) {
			clock.advance(6 * hourMs);
			await gateway.account.sync();
		}
		return id;
	}

	it('is listed with the time of its next try, and tried earlier when asked for', async () => {
		const id = await fail();
		expect(await gateway.problems.list({ kind: 'receivedEvent' })).toEqual([
			{
				id,
				kind: 'receivedEvent',
				subject: 'MessageReceived',
				since: expect.any(String) as string,
				code: odd,
				message: expect.any(String) as string,
				isRetriedAutomatically: true,
				nextTryAt: new Date(clock.now() + 2_000).toISOString(),
			},
		]);
		network.backbone.faults.clear();
		expect(await gateway.problems.retry({ ids: [id] })).toEqual([
			{ id, kind: 'receivedEvent', outcome: 'solved' },
		]);
		expect(await received()).toEqual(['odd']);
		expect(await gateway.problems.list()).toEqual([]);
	});

	it('is given up, and applied once when two processes try it again after its cause is gone', async () => {
		const id = await park();
		expect(await gateway.problems.list()).toMatchObject([
			{ id, kind: 'receivedEvent', code: odd, isRetriedAutomatically: false },
		]);
		network.backbone.faults.clear();
		const other = await elsewhere();
		const both = await Promise.all([
			gateway.problems.retry({ ids: [id] }),
			other.problems.retry({ ids: [id, id] }),
			gateway.problems.retry({ ids: [id] }),
		]);
		const solved = [{ id, kind: 'receivedEvent', outcome: 'solved' }];
		expect(both).toEqual([solved, solved, solved]);
		expect(await received()).toEqual(['odd']);
		expect(await told('transport.messageReceived')).toHaveLength(1);
		expect(await gateway.problems.list()).toEqual([]);
		expect(await gateway.problems.retry({ ids: [id] })).toEqual(solved);
	});

	it('stays given up when its cause is still there, and is not told again', async () => {
		const id = await park();
		expect(await told('gateway.externalEventGivenUp')).toHaveLength(1);
		expect(await gateway.problems.retry({ ids: [id] })).toMatchObject([
			{ id, outcome: 'failed', code: odd },
		]);
		expect(await gateway.problems.list()).toMatchObject([{ id, isRetriedAutomatically: false }]);
		expect(await told('gateway.externalEventGivenUp')).toHaveLength(1);
	});

	it('stays asked for when the Backbone is away', async () => {
		const id = await park();
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
		await gateway.account.sync();
		expect(await received()).toEqual(['odd']);
	});
});

describe('a message of which nobody knows whether it was sent', () => {
	async function lose(kind: 'cutBefore' | 'cutAfter', times = 1): Promise<string> {
		network.backbone.faults.add({ method: 'POST', path: /Messages/, times, action: { kind } });
		await expect(gateway.messages.send(mailTo(addressOfPeer, 'lost'))).rejects.toMatchObject({
			code: 'error.gateway.messages.outcomeUnknown',
		});
		const [problem] = await gateway.problems.list({ kind: 'sending' });
		return problem?.id ?? '';
	}

	it('is listed with its recipients, and found at the Backbone', async () => {
		const id = await lose('cutAfter');
		expect(await gateway.problems.list()).toEqual([
			{
				id: expect.stringMatching(/^SND/) as string,
				kind: 'sending',
				subject: 'Mail',
				since: expect.any(String) as string,
				code: 'error.gateway.messages.outcomeUnknown',
				message: expect.any(String) as string,
				isRetriedAutomatically: false,
				recipients: [addressOfPeer],
			},
		]);
		expect(await gateway.problems.retry({ ids: [id] })).toEqual([
			{ id, kind: 'sending', outcome: 'solved' },
		]);
		expect(await arrived()).toEqual(['before', 'lost']);
		expect(await gateway.problems.list()).toEqual([]);
	});

	it('is sent once when the Backbone does not have it, however often it is asked for', async () => {
		const id = await lose('cutBefore');
		expect(await gateway.problems.retry({ ids: [id] })).toMatchObject([{ id, outcome: 'waiting' }]);
		// Another process may have been in the middle of its call: only then is it sent.
		clock.advance(2 * 60_000);
		const other = await elsewhere();
		await Promise.all([
			gateway.problems.retry({ ids: [id] }),
			other.problems.retry({ ids: [id] }),
			gateway.account.sync(),
		]);
		expect(await arrived()).toEqual(['before', 'lost']);
		expect(await gateway.problems.list()).toEqual([]);
		expect(await told('transport.messageSent')).toHaveLength(2);
	});

	it('is not given up any more after somebody wanted it sent', async () => {
		const id = await lose('cutBefore', 3);
		await gateway.problems.retry({ ids: [id] });
		clock.advance(hourMs);
		await gateway.account.sync();
		expect(await gateway.problems.list()).toMatchObject([{ id, isRetriedAutomatically: true }]);
		expect(await told('gateway.messageNotSent')).toEqual([]);
		network.backbone.faults.clear();
		clock.advance(2 * 60_000);
		await gateway.account.sync();
		expect(await arrived()).toEqual(['before', 'lost']);
	});

	it('is told to be not sent when the Backbone refuses it now', async () => {
		const id = await lose('cutBefore');
		clock.advance(2 * 60_000);
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
		expect(await told('gateway.messageNotSent')).toMatchObject([{ intentId: id, code }]);
		expect(await gateway.problems.list()).toEqual([]);
	});
});

describe('an event that a consumer did not take', () => {
	it('is listed, and delivered once more when asked for', async () => {
		const given: Delivery[] = [];
		const stop = new AbortController();
		const consumed = gateway.events.consume({
			consumer: 'webhook:orders',
			filter: { names: ['transport.messageReceived'] },
			startFrom: 'now',
			batchSize: 1,
			deliver: (delivery) => {
				given.push(delivery);
				return Promise.resolve(
					delivery.isParked ? { kind: 'accepted' } : { kind: 'parked', reason: 'answered 500' },
				);
			},
			signal: stop.signal,
		});
		await until(async () =>
			(await gateway['parts'].store.read((tx) => tx.consumers.list())).some(
				({ name }) => name === 'webhook:orders',
			),
		);
		await peer.messages.send(mailTo(address, 'for the webhook'));
		await gateway.account.sync();
		await until(async () => (await gateway.problems.list()).length === 1);
		const [problem] = await gateway.problems.list({ kind: 'delivery' });
		expect(problem).toMatchObject({
			id: expect.stringMatching(/^EVT\d+@webhook:orders$/) as string,
			subject: 'transport.messageReceived',
			message: 'answered 500',
			consumer: 'webhook:orders',
			isRetriedAutomatically: false,
		});
		const ids = [problem?.id ?? ''];
		expect(await gateway.problems.retry({ ids })).toMatchObject([
			{ kind: 'delivery', outcome: 'waiting' },
		]);
		await until(async () => (await gateway.problems.list()).length === 0);
		expect(given).toHaveLength(2);
		stop.abort();
		await consumed;
	});
});

describe('a selection', () => {
	it('of a problem that does not exist is refused, and nothing else is tried', async () => {
		const ids = ['SYI00000000000000000', 'constructor'];
		await expect(gateway.problems.retry({ ids })).rejects.toMatchObject({
			code: 'error.gateway.problems.unknown',
			kind: 'notFound',
			remedy: expect.any(String),
			facts: { problemIds: ids },
		});
	});

	it.each([
		[{}],
		[{ ids: [] }],
		[{ ids: 'SYI1' }],
		[{ ids: [7] }],
		[{ ids: ['a'], all: true }],
		[7],
	])('as %j is refused', async (input) => {
		await expect(gateway.problems.retry(input)).rejects.toMatchObject({
			code: 'error.gateway.problems.invalidSelection',
		});
	});

	it.each([{ kind: 'other' }, { unknown: 1 }, 'sending'])(
		'of a list as %j is refused',
		async (input) => {
			await expect(gateway.problems.list(input)).rejects.toMatchObject({
				code: 'error.gateway.problems.invalidSelection',
			});
		},
	);
});
