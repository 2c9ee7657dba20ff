import { mailTo, settle } from '../../support/gateways';
import type { Gateway } from '../../../core';
import type { TestClock } from '../../support/clock';
import type { SandboxNetwork } from '../../support/gateways';
import { ProblemBench } from '../../support/problem-bench';
import { until } from '../../support/until';

jest.setTimeout(120_000);

const minuteMs = 60_000;
const unknown = { code: 'error.gateway.problems.unknown' };
const notDiscardable = { code: 'error.gateway.problems.notDiscardable', kind: 'conflict' };

let bench: ProblemBench;
let network: SandboxNetwork;
let clock: TestClock;
let gateway: Gateway;

beforeEach(async () => {
	bench = await ProblemBench.open();
	({ network, clock, gateway } = bench);
});

afterEach(() => bench.close());

describe('the status of the account', () => {
	it('counts what is listed, and names what each consumer has refused', async () => {
		await bench.consume('webhook:a');
		await bench.peer.messages.send(mailTo(bench.address, 'refused'));
		await settle(gateway);
		await until(async () => (await gateway.problems.list({ kind: 'delivery' })).length === 1);
		await bench.park();
		await bench.lose('cutBefore');
		expect(await bench.counts()).toEqual({
			receivedEvent: [1, 1],
			delivery: [1, 1],
			sending: [1, 1],
			unfinishedChange: [0, 0],
			wait: [0, 0],
		});
		const { consumers } = await gateway.account.getSyncStatus();
		expect(consumers).toEqual([
			{
				name: 'webhook:a',
				isRunning: true,
				position: expect.any(Number) as number,
				waitingEvents: 0,
				parkedEvents: 1,
			},
		]);
	});
});

describe('discarding an external event', () => {
	it('is refused while it is tried by itself, and what is named beside it stays, too', async () => {
		const id = await bench.fail();
		const message = await bench.lose('cutBefore', 2);
		await gateway.problems.retry({ ids: [message] });
		const before = await gateway.problems.list();
		await expect(gateway.problems.discard({ ids: [message, id] })).rejects.toMatchObject({
			...notDiscardable,
			remedy: expect.any(String) as string,
			facts: { problemIds: [id] },
		});
		expect(await gateway.problems.list()).toEqual(before);
		expect(await gateway.problems.discard({ all: true, kind: 'receivedEvent' })).toEqual([]);
		expect(await gateway.problems.list()).toEqual(before);
	});

	it('that was given up removes it for good, with what was told of it', async () => {
		const id = await bench.park();
		const [problem] = await gateway.problems.list();
		expect(await bench.told('gateway.externalEventGivenUp')).toHaveLength(1);
		expect(await gateway.problems.discard({ ids: [id, id] })).toEqual([
			{ ...problem, outcome: 'discarded' },
		]);
		expect(await gateway.problems.list()).toEqual([]);
		expect((await gateway.account.getSyncStatus()).parkedEvents).toEqual([]);
		expect(await bench.told('gateway.externalEventGivenUp')).toEqual([]);
		network.backbone.faults.clear();
		clock.advance(60 * minuteMs);
		await settle(gateway);
		expect(await bench.received()).toEqual([]);
		await expect(gateway.problems.discard({ ids: [id] })).rejects.toMatchObject(unknown);
		await expect(gateway.problems.retry({ ids: [id] })).rejects.toMatchObject(unknown);
	});

	it('in two processes at once happens in one of them', async () => {
		const ids = [await bench.park()];
		const other = await bench.elsewhere();
		const both = await Promise.allSettled([
			gateway.problems.discard({ ids }),
			other.problems.discard({ ids }),
		]);
		expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
		expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: unknown });
	});
});

describe('discarding a message of unknown outcome', () => {
	it('ends the tries that were asked for; it is told to be not sent when it is not found', async () => {
		const id = await bench.lose('cutBefore', 2);
		bench.pass(3 * minuteMs);
		await gateway.problems.retry({ ids: [id] });
		expect(await gateway.problems.discard({ ids: [id] })).toMatchObject([
			{ id, kind: 'sending', isRetriedAutomatically: false, outcome: 'waiting' },
		]);
		expect(await gateway.problems.list()).toMatchObject([{ id, isRetriedAutomatically: false }]);
		bench.pass(3 * minuteMs);
		await settle(gateway);
		expect(await bench.arrived()).toEqual(['before']);
		clock.advance(10 * minuteMs);
		await settle(gateway);
		expect(await bench.told('gateway.messageNotSent')).toMatchObject([
			{ intentId: id, code: 'error.gateway.messages.notSent' },
		]);
		expect(await gateway.problems.list()).toEqual([]);
		expect(await bench.arrived()).toEqual(['before']);
	});

	it('does not hide that it was sent', async () => {
		const id = await bench.lose('cutAfter');
		expect(await gateway.problems.discard({ all: true })).toMatchObject([
			{ id, outcome: 'waiting' },
		]);
		await settle(gateway);
		expect(await bench.arrived()).toEqual(['before', 'lost']);
		expect(await bench.told('transport.messageSent')).toHaveLength(2);
		expect(await bench.told('gateway.messageNotSent')).toEqual([]);
		expect(await gateway.problems.list()).toEqual([]);
	});

	it('holds although a sync is looking for it at that moment', async () => {
		const id = await bench.lose('cutBefore');
		bench.pass(3 * minuteMs);
		let isDiscarded = false;
		const other = await bench.elsewhere(async (name) => {
			if (name !== 'messages.page' || isDiscarded) return;
			isDiscarded = true;
			await gateway.problems.discard({ ids: [id] });
		});
		expect(await other.problems.retry({ ids: [id] })).toMatchObject([{ id, outcome: 'waiting' }]);
		expect(isDiscarded).toBe(true);
		expect(await bench.arrived()).toEqual(['before']);
	});

	it('is refused when it belongs to a change that was made', async () => {
		const { peer, addressOfPeer, address } = bench;
		const item = {
			'@type': 'AuthenticationRequestItem' as const,
			mustBeAccepted: true,
			title: 'Log in',
		};
		const { id, content } = await peer.outgoingRequests.create({
			content: { items: [item] },
			peer: address,
		});
		await peer.messages.send({ recipients: [address], content });
		await settle(gateway);
		const cut = { kind: 'cutBefore' } as const;
		network.backbone.faults.add({ method: 'POST', path: /Messages/, times: 100, action: cut });
		await gateway.incomingRequests.accept(id, { items: [{ accept: true }] });
		const [problem] = await gateway.problems.list();
		expect(problem).toMatchObject({
			kind: 'sending',
			subject: 'ResponseWrapper',
			recipients: [addressOfPeer],
			isDiscardable: false,
		});
		await expect(gateway.problems.discard({ ids: [problem?.id ?? ''] })).rejects.toMatchObject(
			notDiscardable,
		);
		expect(await gateway.problems.discard({ all: true })).toEqual([]);
		network.backbone.faults.clear();
		for (let times = 0; times < 2; times++) {
			bench.pass(3 * minuteMs);
			await settle(gateway);
		}
		expect(await gateway.incomingRequests.get(id)).toMatchObject({ status: 'Completed' });
	});
});

describe('discarding a delivery', () => {
	it('of one consumer leaves the events of another', async () => {
		const given = await bench.consume('webhook:a');
		await bench.consume('webhook:b');
		await bench.refuse(2, 'one', 'two', 'three');
		const ofA = await gateway.problems.list({ consumer: 'webhook:a' });
		const [first] = ofA;
		expect(await gateway.problems.discard({ ids: [first?.id ?? ''] })).toEqual([
			{ ...first, outcome: 'discarded' },
		]);
		expect(await gateway.problems.discard({ all: true, consumer: 'webhook:a' })).toHaveLength(2);
		expect(await gateway.problems.list({ consumer: 'webhook:a' })).toEqual([]);
		expect(await gateway.problems.list({ consumer: 'webhook:b' })).toHaveLength(3);
		await expect(gateway.problems.discard({ ids: [first?.id ?? ''] })).rejects.toMatchObject(
			unknown,
		);
		await gateway.problems.retry({ all: true });
		await until(async () => (await gateway.problems.list()).length === 0);
		expect(given).toHaveLength(3);
	});
});

it('all of one kind leaves the other kinds', async () => {
	await bench.consume('webhook:a');
	await bench.refuse(1, 'one');
	const message = await bench.lose('cutBefore');
	expect(await gateway.problems.discard({ all: true, kind: 'delivery' })).toHaveLength(1);
	expect(await gateway.problems.list()).toMatchObject([{ id: message }]);
});
