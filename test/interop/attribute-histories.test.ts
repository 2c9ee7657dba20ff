import { Dice } from '../scenario/convergence/dice';
import { SandboxNetwork } from '../support/gateways';
import { Peer } from '../support/peer/peer';
import { arbitraryCreation, arbitraryTemplate, referenceOf } from './contents';
import { History } from './histories/history';
import { officialHolder } from './histories/official-holder';
import { ourHolder } from './histories/our-holder';

jest.setTimeout(300_000);

/*
 * Random sequences of sharing, succeeding, notifying and deleting between us and an official runtime;
 * after each sync both must see the same, although events for us get lost. HISTORY_SEED=<number> plays
 * one of them again, HISTORY_COUNT=<number> more, HISTORY_ROUNDS=<number> longer ones.
 */
const { HISTORY_SEED, HISTORY_COUNT = '4', HISTORY_ROUNDS = '30' } = process.env;
const seeds =
	HISTORY_SEED === undefined
		? Array.from({ length: Number(HISTORY_COUNT) }, (_, index) => index + 1)
		: [Number(HISTORY_SEED)];

/** of the events that tell us something */
const lostShare = 0.2;

describe('what we and the official runtime 6.60.5 share', () => {
	let lost = 0;

	// A short history may have the luck to lose none.
	afterAll(() => expect(lost).toBeGreaterThan(0));

	it.each(seeds)('looks the same on both sides after each sync of history %i', async (seed) => {
		// The official runtime keeps a message twice when its event comes twice, and leaves the notification
		// in the copy open for ever.
		const network = await SandboxNetwork.open({ repeatedShare: 0 });
		const peer = await Peer.start(6, network.config().backbone);
		try {
			const we = await ourHolder(network);
			const template = await peer.createTemplate(arbitraryTemplate('hello'));
			const { truncated } = referenceOf(template);
			const { id: templateId } = await we.gateway.templates.loadPeer({ reference: truncated });
			await we.gateway.relationships.create({
				templateId,
				creationContent: arbitraryCreation('hi'),
			});
			await network.settleParties([peer.syncing]);
			const { id } = await peer.relationshipWith(we.address, 'Pending');
			await peer.acceptRelationship(id);
			await we.sync();
			// The official runtime has nothing that finds lost events, so only ours get lost.
			network.backbone.queues.drop({ owner: we.address, share: lostShare });
			const history = new History(new Dice(seed), [we, officialHolder(peer, network)]);
			const found = await history.play(Number(HISTORY_ROUNDS));
			const script = history.steps.map((step, index) => `  ${index + 1}. ${step}`);
			expect(found.length === 0 ? '' : [...found, ...script, peer.log].join('\n')).toBe('');
			// A round whose dice fit nothing that is held does nothing.
			expect(history.steps.length).toBeGreaterThan(Number(HISTORY_ROUNDS) / 2);
			lost += network.backbone.queues.dropped.length;
		} finally {
			await peer.stop();
			await network.close();
		}
	});
});
