import { ownText } from '../../../core/model/json';
import type { Gateway } from '../../../core';
import { failureOf } from '../../core/backbone/fixture-server';
import type { FaultAction } from '../../../sandbox/faults';
import {
	arrivals,
	arrives,
	inOneHour,
	mailTo,
	relate,
	SandboxNetwork,
	settle,
} from '../../support/gateways';

/* A Backbone that answers nonsense while an account syncs: a coded error, and nothing is lost. */
let network: SandboxNetwork;
let gateway: Gateway;
let peer: Gateway;
let addressOfPeer: string;

beforeEach(async () => {
	// No repetitions: each test counts what is reported about one event.
	network = await SandboxNetwork.open({ repeatedShare: 0 });
	gateway = await network.gateway();
	peer = await network.gateway();
	({ addressB: addressOfPeer } = await relate(gateway, peer));
});

afterEach(() => network.close());

/** An interrupted run at the Backbone expires after ten seconds; the test does not wait for that. */
const letRunsExpire = (): void => network.backbone.advanceClock(11_000);

const subjects = async (): Promise<unknown[]> =>
	(await peer.messages.list()).map(({ content }) => ownText(content, 'subject'));

describe('a sync that gets nonsense', () => {
	const faults: ReadonlyArray<readonly [string, FaultAction, string]> = [
		[
			'a page of 10,001 items',
			{ kind: 'oversizedPage', items: 10_001 },
			'error.gateway.backbone.pageTooLarge',
		],
		[
			'something that is not JSON',
			{ kind: 'malformedBody' },
			'error.transport.request.resultUndefined',
		],
		[
			'an answer over its limit',
			{ kind: 'status', status: 200, body: { result: 'x'.repeat(70 * 1024 * 1024) } },
			'error.gateway.backbone.answerTooLarge',
		],
		['an error without a body', { kind: 'status', status: 502 }, 'error.platform.unexpected'],
		[
			'a result that is empty',
			{ kind: 'status', status: 200, body: { result: null } },
			'error.transport.request.resultUndefined',
		],
	];

	it.each(faults)(
		'for its events, %s, says so and syncs the next time',
		async (_, action, code) => {
			await gateway.messages.send(mailTo(addressOfPeer, 'kept'));
			network.backbone.faults.add({ path: /ExternalEvents/, times: 10, action });
			const error = await failureOf(arrivals(peer));
			expect(error).toMatchObject({ code, remedy: expect.stringMatching(/\w+ \w+/) as string });
			network.backbone.faults.clear();
			letRunsExpire();
			await settle(peer);
			expect(await subjects()).toEqual(['kept']);
		},
	);

	it('for its events, some that are none, goes on and gets the others the next time', async () => {
		await gateway.messages.send(mailTo(addressOfPeer, 'kept'));
		const action: FaultAction = { kind: 'oversizedPage', items: 2 };
		network.backbone.faults.add({ path: /ExternalEvents/, action });
		await settle(peer);
		expect(await subjects()).toEqual(['kept']);
	});

	it('for one event keeps it as a failure of its own, and loses nothing', async () => {
		for (const subject of ['one', 'two']) {
			await gateway.messages.send(mailTo(addressOfPeer, subject));
		}
		network.backbone.queues.deliverAll();
		const rewrite = ({ result: events }: { result: object[] }): unknown => {
			const odd = { ...events[0], type: 7, createdAt: null, index: 'first', payload: 'none' };
			return { result: [odd, ...events.slice(1)] };
		};
		const action: FaultAction = { kind: 'rewritten', rewrite };
		network.backbone.faults.add({ path: /ExternalEvents/, action });
		await peer.account.sync();
		// The comparison with the Backbone's lists finds what the event was about.
		expect((await subjects()).toSorted()).toEqual(['one', 'two']);
		expect((await peer.account.getSyncStatus()).pendingEvents).toBe(1);
	});

	it('about a message in a list, an unreadable message fails alone', async () => {
		for (const subject of ['one', 'two', 'three']) {
			await gateway.messages.send(mailTo(addressOfPeer, subject));
		}
		network.backbone.queues.deliverAll();
		const rewrite = ({ result }: { result: object[] | object }): unknown => {
			const odd = (message: object): object => ({ ...message, attachments: 'none' });
			if (!Array.isArray(result)) return { result: odd(result) };
			return { result: result.map((message: object, i) => (i === 1 ? odd(message) : message)) };
		};
		const action: FaultAction = { kind: 'rewritten', rewrite };
		network.backbone.faults.add({ method: 'GET', path: /Messages/, times: 2, action });
		await peer.account.sync();
		expect(await subjects()).toEqual(['one', 'three']);
		expect((await peer.account.getSyncStatus()).pendingEvents).toBe(1);
	});

	it('for a message says so, keeps the event, and reads it the next time', async () => {
		await gateway.messages.send(mailTo(addressOfPeer, 'first'));
		await gateway.messages.send(mailTo(addressOfPeer, 'second'));
		network.backbone.queues.deliverAll();
		network.backbone.faults.add({
			method: 'GET',
			path: /Messages/,
			times: 10,
			action: { kind: 'malformedBody' },
		});
		// The rest of the Backbone answers, so the messages wait and the sync succeeds.
		const { pendingFailures } = await arrivals(peer);
		expect(pendingFailures.map(({ code }) => code)).toEqual([
			'error.transport.request.resultUndefined',
			'error.transport.request.resultUndefined',
		]);
		expect((await peer.account.getSyncStatus()).pendingEvents).toBe(2);
		network.backbone.faults.clear();
		// The next planned attempt follows after two seconds.
		await arrives(peer, async () => (await subjects()).length === 2);
		expect(await subjects()).toEqual(['first', 'second']);
		expect((await peer.account.getSyncStatus()).pendingEvents).toBe(0);
	});

	it.each([null, '', false, 0])('for a relationship, %j, goes on with the rest', async (empty) => {
		const { truncatedReference: reference } = await peer.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
		});
		const stranger = await network.gateway();
		const { id: templateId } = await stranger.templates.loadPeer({ reference });
		const creationContent = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: 1 };
		const { id } = await stranger.relationships.create({ templateId, creationContent });
		await gateway.messages.send(mailTo(addressOfPeer, 'kept'));
		network.backbone.queues.deliverAll();
		const action: FaultAction = { kind: 'rewritten', rewrite: () => ({ result: empty }) };
		const path = new RegExp(id);
		const restore = network.backbone.faults.add({ method: 'GET', path, times: 100, action });
		await settle(peer);
		expect(await subjects()).toEqual(['kept']);
		restore();
		expect(await peer.problems.retry({ all: true })).toMatchObject([{ outcome: 'solved' }]);
		expect(await peer.relationships.get(id)).toMatchObject({ status: 'Pending' });
	});

	it('about an object that is gone, twice, or of an unknown kind, is not stopped by it', async () => {
		const { events } = network.backbone;
		events.add(addressOfPeer, 'MessageReceived', { id: 'MSGgone0000000000000' });
		events.add(addressOfPeer, 'SomethingNew', { any: 1 });
		const { id } = await gateway.messages.send(mailTo(addressOfPeer, 'once'));
		events.add(addressOfPeer, 'MessageReceived', { id });
		const outcome = await arrivals(peer);
		expect(outcome.pendingFailures.map(({ type }) => type)).not.toContain('SomethingNew');
		expect(await subjects()).toEqual(['once']);
		const received = await peer.events.recent({ names: ['transport.messageReceived'] }, 10);
		expect(received).toHaveLength(1);
	});
});
