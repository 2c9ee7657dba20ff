import type { Clock } from '../../../core/base/clock';
import type { Gateway } from '../../../core';
import type { JsonObject } from '../../../core/model/json';
import { openCarelessPeer, type CarelessPeer } from '../../support/peer/careless-peer';
import { arrivals, relate, sandboxOf, settle, TestNetwork } from '../../support/gateways';

/* docs/protocol/content.md 4.2: limits hold for the contents of peers exactly as for our own. */

const unreadable = 'error.runtime.requestDeserialization';
const unknownType = 'error.runtime.unknownType';

let network: TestNetwork;
let receiver: Gateway;
let peer: CarelessPeer;
let address: string;
let passedMs = 0;
const clock: Clock = { now: () => Date.now() + passedMs };

beforeEach(async () => {
	passedMs = 0;
	network = await TestNetwork.open();
	receiver = await network.gateway(network.config(), { clock });
	const config = network.config();
	const sender = await network.gateway(config);
	({ addressA: address } = await relate(receiver, sender));
	await sender.close();
	peer = await openCarelessPeer(config);
});
afterEach(async () => {
	await peer.close();
	await network.close();
});

const mail = (change: JsonObject = {}): JsonObject => ({
	'@type': 'Mail',
	to: [address],
	subject: 'Hi',
	body: 'Text',
	...change,
});
const eventNames = async (): Promise<string[]> =>
	(await receiver.events.recent({}, 50)).map(({ event }) => event);

describe('a message of a peer', () => {
	it.each<[string, () => JsonObject, string]>([
		['a subject over its limit', () => mail({ subject: 's'.repeat(301) }), unreadable],
		['a member of the wrong type', () => mail({ body: 7 }), unreadable],
		['an unknown type', () => ({ '@type': 'NoSuchContent' }), unknownType],
		['a type that is not a text', () => ({ '@type': 7 }), 'error.runtime.servalError'],
		['a request without items', () => ({ '@type': 'Request', items: [] }), unreadable],
	])('with %s is reported and holds up nothing', async (_what, content, code) => {
		const before = await peer.send(address, mail({ subject: 'before' }));
		await peer.send(address, content());
		const after = await peer.send(address, mail({ subject: 'after' }));
		const outcome = await arrivals(receiver);
		expect(outcome.messages.map(({ id }) => id)).toEqual([before, after]);
		expect(outcome.pendingFailures).toMatchObject([{ type: 'MessageReceived', code }]);
		expect((await receiver.messages.list()).map(({ id }) => id)).toEqual([before, after]);
		const received = (await eventNames()).filter((name) => name === 'transport.messageReceived');
		expect(received).toHaveLength(2);
	});

	it('that stays unreadable is kept for a person to look at', async () => {
		await peer.send(address, { '@type': 'NoSuchContent' });
		for (let tries = 0; tries < 6; tries++) {
			expect(await receiver.account.getSyncStatus()).toMatchObject({ parkedEvents: [] });
			await settle(receiver);
			passedMs += 6 * 3_600_000;
		}
		const status = await receiver.account.getSyncStatus();
		expect(status.parkedEvents).toMatchObject([{ type: 'MessageReceived', code: unknownType }]);
		expect(status.pendingEvents).toBe(0);
	});

	it('that the Backbone tells again under other ids is one problem, tried again each time', async () => {
		const { events, queues } = sandboxOf(network);
		const own = (await receiver.account.getIdentity()).address;
		const id = await peer.send(address, { '@type': 'NoSuchContent' });
		await settle(receiver);
		for (let tries = 0; tries < 6; tries++) {
			events.add(own, 'MessageReceived', { id });
			queues.deliverAll();
			await settle(receiver);
			const { pendingEvents, parkedEvents } = await receiver.account.getSyncStatus();
			expect(pendingEvents + parkedEvents.length).toBe(1);
			passedMs += 6 * 3_600_000;
		}
		expect((await receiver.account.getSyncStatus()).parkedEvents).toHaveLength(1);
		const givenUp = (await eventNames()).filter((name) => name.endsWith('externalEventGivenUp'));
		expect(givenUp).toHaveLength(1);
	});

	it('without a type is kept as it is and shown in the arbitrary wrapper', async () => {
		const content = { z: { '@type': 'Whatever', b: null }, a: [1] };
		await peer.send(address, content);
		const { messages } = await arrivals(receiver);
		expect(messages[0]?.content).toEqual({ '@type': 'ArbitraryMessageContent', value: content });
	});

	it('is stored in its normal form', async () => {
		await peer.send(address, mail({ extra: 'dropped', body: '', content: 'old name' }));
		const { messages } = await arrivals(receiver);
		expect(messages[0]?.content).toEqual({ ...mail({ body: 'old name' }), cc: [] });
	});
});

describe('a template of a peer', () => {
	it.each<[string, JsonObject, string]>([
		['no request', { '@type': 'RelationshipTemplateContent' }, unreadable],
		[
			'an unknown item',
			{
				'@type': 'RelationshipTemplateContent',
				onNewRelationship: { items: [{ '@type': 'NoSuchItem', mustBeAccepted: true }] },
			},
			unreadable,
		],
		['an unknown type', { '@type': 'NoSuchContent' }, unknownType],
	])('with %s is refused and leaves no trace', async (_what, content, code) => {
		const reference = await peer.createTemplate(content);
		const before = await eventNames();
		await expect(receiver.templates.loadPeer({ reference })).rejects.toMatchObject({ code });
		expect(
			await receiver.templates.list({ where: [{ field: 'isOwn', op: 'eq', value: false }] }),
		).toEqual([]);
		expect(await eventNames()).toEqual(before);
	});

	it('with content of another kind is loaded and shown in the arbitrary wrapper', async () => {
		const reference = await peer.createTemplate({ free: ['form'] });
		const { content } = await receiver.templates.loadPeer({ reference });
		expect(content).toEqual({
			'@type': 'ArbitraryRelationshipTemplateContent',
			value: { free: ['form'] },
		});
	});
});
