import { createHash } from 'node:crypto';
import type { Gateway } from '../../../core';
import { partsOf } from '../../../core/gateway/gateway-parts';
import { TestClock } from '../../support/clock';
import { arrivals, mailTo, relate, SandboxNetwork } from '../../support/gateways';

/*
 * A message is announced by its id alone: whose it is, is known when it is fetched. When its relationship
 * is left before that, it is of no use to any party (docs/protocol/transport.md 6.4).
 */
let network: SandboxNetwork;
let clock: TestClock;
let gateway: Gateway;
let peer: Gateway;
let relationshipId: string;
let address: string;
let addressOfPeer: string;

beforeEach(async () => {
	// No repetitions: each test counts what waits because of one event.
	network = await SandboxNetwork.open({ repeatedShare: 0 });
	clock = new TestClock(Date.now());
	gateway = await network.gateway(network.config(), { clock });
	peer = await network.gateway();
	({ relationshipId, addressA: address, addressB: addressOfPeer } = await relate(gateway, peer));
});
afterEach(() => network.close());

const status = () => gateway.account.getSyncStatus();
const givenUp = () => gateway.events.recent({ names: ['gateway.externalEventGivenUp'] }, 10);
const show = (result: unknown, times: number): void =>
	void network.backbone.faults.add({
		method: 'GET',
		path: /Messages/,
		times,
		action: { kind: 'status', status: 200, body: { result } },
	});

/** What is sent now cannot be read. */
async function letWait(): Promise<void> {
	show({ id: 'nothing that is a message' }, 1_000);
	const { pendingFailures } = await arrivals(gateway);
	expect(pendingFailures.length).toBeGreaterThan(0);
}

async function leave(): Promise<void> {
	network.backbone.faults.clear();
	await gateway.relationships.terminate(relationshipId);
	await gateway.relationships.decompose(relationshipId);
}

async function expectNothingLeft(): Promise<void> {
	expect(await arrivals(gateway)).toMatchObject({ messages: [], pendingFailures: [] });
	expect(await status()).toMatchObject({ pendingEvents: 0, parkedEvents: [] });
}

describe('a message that waits while its relationship is left', () => {
	it('is let go, and nothing names the peer meanwhile', async () => {
		await peer.messages.send(mailTo(address));
		await letWait();
		await leave();
		const waiting = await partsOf(gateway).store.read((tx) =>
			tx.inbox.list({ where: [{ field: 'state', op: 'eq', value: 'pending' }] }),
		);
		expect(waiting).toHaveLength(1);
		expect(JSON.stringify(waiting)).not.toContain(addressOfPeer);
		const mark = createHash('sha256').update(addressOfPeer).digest('base64url');
		expect(waiting[0]?.record.leftPeers).toEqual([mark]);
		await expectNothingLeft();
	});

	it('is let go, too, when the Backbone shows it all the same', async () => {
		const { id } = await peer.messages.send(mailTo(address));
		await letWait();
		const shown = { ...network.backbone.state.messages.get(id) };
		await leave();
		show(shown, 1);
		await expectNothingLeft();
	});

	it('is let go after it was given up, with what was told of that', async () => {
		await peer.messages.send(mailTo(address));
		for (let tries = 0; tries < 6; tries++) {
			await letWait();
			network.backbone.faults.clear();
			clock.advance(6 * 3_600_000);
		}
		expect((await status()).parkedEvents).toHaveLength(1);
		expect(await givenUp()).toHaveLength(1);
		await leave();
		expect(await givenUp()).toEqual([]);
		await expectNothingLeft();
	});
});

it('a message of another peer that waits meanwhile still arrives', async () => {
	const other = await network.gateway();
	await relate(gateway, other);
	await peer.messages.send(mailTo(address, 'of the peer that is left'));
	await other.messages.send(mailTo(address, 'of the other peer'));
	await letWait();
	await leave();
	clock.advance(3_000);
	const { messages, pendingFailures } = await arrivals(gateway);
	expect(pendingFailures).toEqual([]);
	expect(messages).toMatchObject([{ content: { subject: 'of the other peer' } }]);
	expect(await status()).toMatchObject({ pendingEvents: 0, parkedEvents: [] });
});
