import { Dice } from '../scenario/convergence/dice';
import { relate, SandboxNetwork } from '../support/gateways';
import { Peer } from '../support/peer/peer';
import { arbitraryCreation, arbitraryTemplate, referenceOf } from './contents';
import { History } from './histories/history';
import type { Holder } from './histories/holder';
import { officialHolder } from './histories/official-holder';
import { officialHolder7 } from './histories/official-holder-7';
import { ourHolder, type OurHolder } from './histories/our-holder';
import { ourHolder7 } from './histories/our-holder-7';

jest.setTimeout(300_000);

/*
 * Random sequences of sharing, succeeding, notifying and deleting between us and an official runtime;
 * after each sync both must see the same, although events for us get lost. HISTORY_SEED=<number> plays
 * one of them again, HISTORY_COUNT=<number> more, HISTORY_ROUNDS=<number> longer ones.
 */
const { HISTORY_SEED, HISTORY_COUNT = '3', HISTORY_ROUNDS = '30' } = process.env;
const seeds =
	HISTORY_SEED === undefined
		? Array.from({ length: Number(HISTORY_COUNT) }, (_, index) => index + 1)
		: [Number(HISTORY_SEED)];

/** of the events that tell us something */
const lostShare = 0.2;

/** Request that only version 6 writes. */
const signOf6 = { items: [{ '@type': 'AuthenticationRequestItem', mustBeAccepted: true }] };

interface Pair {
	readonly name: string;
	readonly we: 6 | 7;
	/** major version of the official runtime on the other side; absent: another of our gateways */
	readonly official?: 6 | 7;
}

const pairs: readonly Pair[] = [
	{ name: 'we and the official runtime 6.60.5', we: 6, official: 6 },
	{ name: 'we as version 7 and the official runtime 6.60.5', we: 7, official: 6 },
	{ name: 'we as version 7 and the official runtime 7.0.0', we: 7, official: 7 },
	{ name: 'two of us as version 7', we: 7 },
];

const ourSide = (network: SandboxNetwork, we: 6 | 7, other: 6 | 7): Promise<OurHolder> =>
	we === 6 ? ourHolder(network) : ourHolder7(network, other);

describe.each(pairs)('what $name share', ({ we: version, official }) => {
	let lost = 0;
	let steps = 0;

	// A short history may have the luck to lose none, or dice that fit nothing that is held.
	afterAll(() => {
		expect(lost).toBeGreaterThan(0);
		expect(steps).toBeGreaterThan((seeds.length * Number(HISTORY_ROUNDS)) / 2);
	});

	async function otherSide(
		network: SandboxNetwork,
		we: OurHolder,
	): Promise<{ readonly holder: Holder; readonly peer?: Peer }> {
		if (official === undefined) {
			const holder = await ourSide(network, version, version);
			await relate(holder.gateway, we.gateway);
			return { holder };
		}
		const peer = await Peer.start(official, network.config().backbone);
		const template = await peer.createTemplate(arbitraryTemplate('hello'));
		const { id: templateId } = await we.gateway.templates.loadPeer({
			reference: referenceOf(template).truncated,
		});
		await we.gateway.relationships.create({ templateId, creationContent: arbitraryCreation('hi') });
		await network.settleParties([peer.syncing]);
		const { id } = await peer.relationshipWith(we.address, 'Pending');
		await peer.acceptRelationship(id);
		await we.sync();
		const holder = official === 6 ? officialHolder(peer, network) : officialHolder7(peer, network);
		// Without a sign of its version, it is notified in the form of the version that we serve.
		if (version === 7 && official === 6) await holder.ask(signOf6, we.address);
		return { holder, peer };
	}

	it.each(seeds)('looks the same on both sides after each sync of history %i', async (seed) => {
		// The official runtime keeps a message twice when its event comes twice, and leaves the notification
		// in the copy open forever.
		const network = await SandboxNetwork.open({ repeatedShare: 0 });
		let peer: Peer | undefined;
		try {
			const we = await ourSide(network, version, official ?? version);
			const other = await otherSide(network, we);
			({ peer } = other);
			// The official runtime has nothing that finds lost events, so only ours get lost.
			network.backbone.queues.drop({ owner: we.address, share: lostShare });
			const history = new History(new Dice(seed), [we, other.holder]);
			const found = await history.play(Number(HISTORY_ROUNDS));
			const script = history.steps.map((step, index) => `  ${index + 1}. ${step}`);
			const log = peer?.log ?? '';
			expect(found.length === 0 ? '' : [...found, ...script, log].join('\n')).toBe('');
			steps += history.steps.length;
			lost += network.backbone.queues.dropped.length;
		} finally {
			await peer?.stop();
			await network.close();
		}
	});
});
