import { systemClock } from '../../core/base/clock';
import { silentLogger } from '../../core/base/logger';
import { systemRandom } from '../../core/base/random';
import { parseGatewayConfig, type GatewayConfigInput } from '../../core/config';
import { openStore } from '../../core/store/open-store';
import type { PeerVersion } from '../../core/model/peer-version';
import type { Store } from '../../core/store/store';
import { mailTo, relate, SandboxNetwork } from '../support/gateways';
import { Peer } from '../support/peer/peer';
import { itemRows, settled, type ItemRow } from './requests/item-rows';
import { befriend, officialSide } from './requests/official-side';
import { ourSide, type OurSide } from './requests/our-side';
import { until, type Kind, type Side } from './requests/side';

jest.setTimeout(60_000);

/*
 * What our gateway takes the wallet of the other side for, after each kind of content that both can
 * exchange (docs/protocol/content.md 13.4): never something else than it is, and never a gateway like
 * itself for one of the generations.
 */

const pairs: ReadonlyArray<{ readonly other: Kind; readonly majorVersion: 6 | 7 }> = [
	{ other: 'ours', majorVersion: 6 },
	{ other: 'ours', majorVersion: 7 },
	{ other: 6, majorVersion: 6 },
	{ other: 7, majorVersion: 6 },
	{ other: 7, majorVersion: 7 },
];

interface Watched {
	readonly side: OurSide;
	readonly store: Store;
}

/** What the store says of the newest relationship with each peer. */
const beliefsOf = async ({ store }: Watched): Promise<Record<string, PeerVersion | undefined>> => {
	const relationships = await store.read((tx) => tx.relationships.list());
	return Object.fromEntries(
		relationships.map(({ record: { peer, peerVersion } }) => [peer, peerVersion]),
	);
};

async function watched(network: SandboxNetwork): Promise<Watched> {
	const config: GatewayConfigInput = network.config();
	const side = await ourSide(network, config);
	const base = { clock: systemClock, random: systemRandom, logger: silentLogger };
	return { side, store: await openStore(parseGatewayConfig(config), base) };
}

// shows generation-7 11: templates, relationships, messages on; Backbone
describe.each(pairs)('our gateway and $other on a Backbone $majorVersion', (pair) => {
	let network: SandboxNetwork;
	let peer: Peer | undefined;
	let ours: Watched;
	let theirs: Watched | undefined;
	let other: Side;

	beforeAll(async () => {
		network = await SandboxNetwork.open({
			// What is exchanged tells, not when it comes.
			behaviour: 'kind',
			majorVersion: pair.majorVersion,
			maxUnreceivedMessages: 10_000,
		});
		ours = await watched(network);
		if (pair.other === 'ours') {
			theirs = await watched(network);
			other = theirs.side;
			await relate(ours.side.gateway, theirs.side.gateway);
		} else {
			peer = await Peer.start(pair.other, { baseUrl: network.backbone.baseUrl });
			other = officialSide(peer, network);
			await befriend(peer, ours.side, network);
		}
	});
	afterAll(async () => {
		await ours.store.close();
		await theirs?.store.close();
		await peer?.stop();
		await network.close();
	});

	/** In doubt, or right. */
	async function expectNoMistake(): Promise<void> {
		const { [other.address]: believed, ...thirdParties } = await beliefsOf(ours);
		expect([undefined, pair.other === 'ours' ? undefined : pair.other]).toContain(believed);
		const ofOurs = [...Object.values(thirdParties), ...Object.values(await back())];
		expect(ofOurs.filter((generation) => generation !== undefined)).toEqual([]);
	}

	const back = async (): Promise<Record<string, PeerVersion | undefined>> =>
		theirs === undefined ? {} : await beliefsOf(theirs);

	async function exchange(row: ItemRow, sender: Side, recipient: Side): Promise<void> {
		const items = await row.items(sender, recipient, 'message');
		const type = `${row.type}RequestItem`;
		const request = {
			'@type': 'Request' as const,
			items: items.map((item) => ({ '@type': type, mustBeAccepted: true, ...item })),
		};
		const id = await sender.ask(recipient.address, request);
		await recipient.sync();
		await recipient.toDecide(id);
		const yes = items.map((item) => ({ accept: true, ...row.accept?.(item, recipient) }));
		await recipient.decide(id, 'accept', yes);
		await sender.sync();
		await settled(sender, id);
	}

	const isReadByBoth = ({ onlyIn6 }: ItemRow): boolean => onlyIn6 === undefined || pair.other !== 7;
	const rows = itemRows
		.filter(isReadByBoth)
		.map((row) => [row.type, row.variety ?? '', row] as const);

	it.each(rows)('%s %s, asked by the other side', async (_type, _variety, row) => {
		await exchange(row, other, ours.side);
		await expectNoMistake();
	});

	it.each(rows)('%s %s, asked by us', async (_type, _variety, row) => {
		await exchange(row, ours.side, other);
		await expectNoMistake();
	});

	it('templates, creations and mails in both directions', async () => {
		await ours.side.gateway.messages.send(mailTo(other.address));
		await other.sync();
		const request = {
			'@type': 'Request' as const,
			items: [
				{ '@type': 'AuthenticationRequestItem' as const, mustBeAccepted: true, title: 'Log in' },
			],
		};
		const third = await watched(network);
		const asked = await third.side.receive(await other.offer(request));
		await third.side.decide(asked, 'accept', [{ accept: true }]);
		await other.sync();
		expect([undefined, pair.other]).toContain((await beliefsOf(third))[other.address]);
		await third.store.close();
		await expectNoMistake();
	});

	it('succession and deletion of what is shared', async () => {
		const { attributes } = ours.side.gateway;
		const value = (text: string) => ({ '@type': 'Nationality' as const, value: text });
		const { id } = await attributes.create({ content: { value: value('DE') } });
		const { id: requestId } = await attributes.share(id, { peer: other.address });
		await other.sync();
		await other.toDecide(requestId);
		await other.decide(requestId, 'accept', [{ accept: true }]);
		await until('shared copy', async () => {
			await ours.side.sync();
			return (await ours.side.sharedBy(requestId))[0];
		});
		await expectNoMistake();
		const { successor } = await attributes.succeed(id, {
			successorContent: { value: value('AT') },
		});
		const notified = await attributes.notifyPeer(successor.id, { peer: other.address });
		await other.sync();
		await expectNoMistake();
		await attributes.deleteOwnShared(notified.successor.id);
		await other.sync();
		await expectNoMistake();
	});

	it('has told of the official runtime what it is', async () => {
		const { [other.address]: believed } = await beliefsOf(ours);
		expect(believed).toBe(pair.other === 'ours' ? undefined : pair.other);
	});
});
