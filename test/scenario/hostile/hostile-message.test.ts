import type { EventName, Gateway } from '../../../core';
import type { WireMessage } from '../../../core/backbone/dto';
import { ownText, type JsonObject } from '../../../core/model/json';
import { openCarelessPeer, type CarelessPeer } from '../../support/peer/careless-peer';
import { TestClock } from '../../support/clock';
import { arrivals, mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';
import { isFirstWarning, openLog } from '../../support/log-lines';
import { openLyingBackbone, type Lies } from '../../support/backbone/lying-backbone';

/* docs/protocol/transport.md 7.4, 20: messages that peers or the Backbone have tampered with. */

const undecryptable = 'error.crypto.encryption.decrypt';
const unreadable = 'error.runtime.requestDeserialization';
const stranger = 'did:e:localhost:dids:0ad7aa581a7ffe0155968e';

let network: SandboxNetwork;
let clock: TestClock;
let receiver: Gateway;
let address: string;
let lies: Lies;
let lines: string[];

const field = (text: string): string => Buffer.from(text).toString('base64url');

beforeEach(async () => {
	// No repetitions: each test counts what is reported about one event.
	network = await SandboxNetwork.open({ repeatedShare: 0 });
	clock = new TestClock(Date.now());
	lies = {};
	const log = openLog();
	lines = log.lines;
	receiver = await network.gateway(network.config(), {
		clock,
		logger: log.logger,
		openBackbone: openLyingBackbone(lies),
	});
	({ address } = await receiver.account.getIdentity());
});
afterEach(() => network.close());

const subjects = async (): Promise<unknown[]> =>
	(await receiver.messages.list()).map(({ content }) => ownText(content, 'subject'));

const eventsNamed = async (name: EventName): Promise<unknown[]> =>
	(await receiver.events.recent({ names: [name] }, 50)).map(({ data }) => data);

describe('a message that the Backbone shows', () => {
	let sender: Gateway;
	let other: Gateway;
	let addressOfOther: string;
	beforeEach(async () => {
		sender = await network.gateway();
		other = await network.gateway();
		await relate(receiver, sender);
		({ addressB: addressOfOther } = await relate(receiver, other));
	});

	/** The message that is sent and the one before it, as they are at the Backbone. */
	type Tamper = (wire: WireMessage, earlier: WireMessage) => WireMessage;

	const recipientsOf = (wire: WireMessage, change: object): WireMessage => ({
		...wire,
		recipients: wire.recipients.map((recipient) => ({ ...recipient, ...change })),
	});

	async function lie(tamper: Tamper): Promise<void> {
		let earlier: WireMessage | undefined;
		lies['messages.get'] = (wire: WireMessage) => {
			earlier = wire;
			return wire;
		};
		await sender.messages.send(mailTo(address, 'earlier'));
		await settle(receiver);
		lies['messages.get'] = (wire: WireMessage) => tamper(wire, earlier ?? wire);
		await sender.messages.send(mailTo(address, 'tampered', 'For your eyes only'));
	}

	it.each<[string, Tamper, string]>([
		[
			'under the name of another peer',
			(wire) => ({ ...wire, createdBy: addressOfOther }),
			undecryptable,
		],
		[
			'under the name of a stranger',
			(wire) => ({ ...wire, createdBy: stranger }),
			'error.transport.recordNotFound',
		],
		[
			'as one for another identity',
			(wire) => recipientsOf(wire, { address: stranger }),
			'error.transport.messages.ownAddressNotInList',
		],
		['with the body of another one', (wire, { body }) => ({ ...wire, body }), undecryptable],
		[
			'with the key of another one',
			(wire, { recipients }) => ({ ...wire, recipients }),
			undecryptable,
		],
		[
			'with a key that is garbage',
			(wire) => recipientsOf(wire, { encryptedKey: field('{}') }),
			'error.crypto.wrongEncryptionAlgorithm',
		],
		[
			'with a body that is garbage',
			(wire) => ({ ...wire, body: field('garbage') }),
			'error.crypto.wrongSerializedBuffer',
		],
		[
			'with a body that is nested without end',
			(wire) => ({ ...wire, body: field('['.repeat(1_000_000)) }),
			'error.crypto.wrongSerializedBuffer',
		],
		[
			'with a body that says what it is in a prototype',
			(wire) => ({ ...wire, body: field('{"__proto__":{"cph":"AA","alg":3,"nnc":"AA"}}') }),
			'error.crypto.wrongEncryptionAlgorithm',
		],
	])('%s is reported, and holds up nothing', async (_what, tamper, code) => {
		await lie(tamper);
		const { pendingFailures } = await arrivals(receiver);
		expect(pendingFailures).toMatchObject([{ type: 'MessageReceived', code }]);
		expect(await subjects()).toEqual(['earlier']);
		expect(await eventsNamed('transport.messageReceived')).toHaveLength(1);
		expect(lines.filter((line) => isFirstWarning(line, code))).toHaveLength(1);

		delete lies['messages.get'];
		await other.messages.send(mailTo(address, 'from the other one'));
		await settle(receiver);
		expect(await subjects()).toEqual(['earlier', 'from the other one']);
		// Nothing is lost when it was shown like this for a while only.
		clock.advance(3_000);
		await settle(receiver);
		expect(await subjects()).toEqual(['earlier', 'from the other one', 'tampered']);
	});

	it('as another one permanently is given up, told, and can be found', async () => {
		await lie((wire, { body }) => ({ ...wire, body }));
		for (let tries = 0; tries < 6; tries++) {
			expect(await eventsNamed('gateway.externalEventGivenUp')).toEqual([]);
			await settle(receiver);
			clock.advance(6 * 3_600_000);
		}
		const report = { type: 'MessageReceived', code: undecryptable };
		expect(await eventsNamed('gateway.externalEventGivenUp')).toMatchObject([report]);
		const status = await receiver.account.getSyncStatus();
		expect(status).toMatchObject({ parkedEvents: [report], pendingEvents: 0 });
		expect(lines.filter((line) => line.includes('was given up'))).toHaveLength(1);
		const told = JSON.stringify(status) + lines.join('\n');
		const rows = [...network.backbone.state.messages.values()];
		for (const { body, recipients } of rows) {
			expect(told).not.toContain(body.slice(0, 40));
			expect(told).not.toContain(recipients[0]?.encryptedKey.slice(0, 40));
		}
		expect(told).not.toContain('For your eyes only');
	});

	it('twice, under two ids, to the same event is stored under the right one only', async () => {
		const { id } = await sender.messages.send(mailTo(address, 'once'));
		for (let times = 0; times < 3; times++) {
			network.backbone.events.add(address, 'MessageReceived', { id });
		}
		const { messages, pendingFailures } = await arrivals(receiver);
		expect(messages.map((message) => message.id)).toEqual([id]);
		expect(pendingFailures).toEqual([]);
		expect(await eventsNamed('transport.messageReceived')).toHaveLength(1);
	});
});

describe('a message that a peer has made', () => {
	let peer: CarelessPeer;
	beforeEach(async () => {
		const config = network.config();
		const sender = await network.gateway(config);
		await relate(receiver, sender);
		await sender.close();
		peer = await openCarelessPeer(config);
	});
	afterEach(() => peer.close());

	const nested = (depth: number): JsonObject => {
		let value: JsonObject = {};
		for (let level = 0; level < depth; level++) value = { a: value };
		return value;
	};

	it.each<[string, () => JsonObject, string]>([
		['is nested too deeply', () => nested(200), unreadable],
		[
			'has too many members',
			() => ({ '@type': 'ArbitraryMessageContent', value: Array(150_000).fill(0) }),
			unreadable,
		],
		[
			'has a text beyond all limits',
			() => ({ '@type': 'Mail', to: [address], subject: 's'.repeat(3_000_000), body: '' }),
			unreadable,
		],
	])('and that %s is reported, and holds up nothing', async (_what, content, code) => {
		await peer.send(address, content());
		const after = await peer.send(address, { kind: 'harmless' });
		const { messages, pendingFailures } = await arrivals(receiver);
		expect(messages.map(({ id }) => id)).toEqual([after]);
		expect(pendingFailures).toMatchObject([{ type: 'MessageReceived', code }]);
	});

	it('with names of prototypes changes none', async () => {
		const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
		await peer.send(address, JSON.parse(text) as JsonObject);
		const { messages } = await arrivals(receiver);
		expect(messages).toHaveLength(1);
		expect(JSON.stringify(messages)).not.toContain('__proto__');
		expect({}).not.toHaveProperty('polluted');
	});
});
