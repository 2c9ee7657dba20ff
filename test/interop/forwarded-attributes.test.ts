import { relate, SandboxNetwork } from '../support/gateways';
import { Peer } from '../support/peer/peer';
import { befriend, officialSide } from './requests/official-side';
import { ourSide, type OurSide } from './requests/our-side';
import { until, type Side } from './requests/side';

jest.setTimeout(120_000);

/*
 * We delete our copy of a relationship attribute that we have forwarded to a wallet of version 7, which
 * reads the notification only if it names the right kind (docs/protocol/content.md 13.2).
 */

let network: SandboxNetwork;
let ours: OurSide;
let partner: OurSide;
let peer: Peer;
let official: Side;

beforeAll(async () => {
	network = await SandboxNetwork.open({ behaviour: 'kind', majorVersion: 7 });
	ours = await ourSide(network);
	partner = await ourSide(network);
	await relate(ours.gateway, partner.gateway);
	peer = await Peer.start(7, { baseUrl: network.backbone.baseUrl });
	official = officialSide(peer, network);
	await befriend(peer, ours, network);
});
afterAll(async () => {
	await peer.stop();
	await network.close();
});

async function decided(recipient: Side, id: string): Promise<void> {
	await recipient.sync();
	await recipient.toDecide(id);
	await recipient.decide(id, 'accept', [{ accept: true }]);
	await ours.sync();
}

it.each(['ours', 'theirs'])('an attribute that is %s', async (owner) => {
	const [from, to] = owner === 'ours' ? [ours, partner] : [partner, ours];
	const key = `customer of ${owner}`;
	const value = { '@type': 'ProprietaryString' as const, title: 'Number', value: '7' };
	const { id: shared } = await from.gateway.attributes.createAndShareRelationshipAttribute({
		peer: to.address,
		content: { key, confidentiality: 'public', value },
	});
	await decided(to, shared);
	await from.sync();
	const [attribute] = await ours.gateway.attributes.list({ query: { 'content.key': key } });
	const item = {
		'@type': 'ShareAttributeRequestItem' as const,
		sourceAttributeId: attribute?.id ?? '',
		attribute: attribute?.content ?? {},
		thirdPartyAddress: partner.address,
		mustBeAccepted: true,
	};
	const forwarded = await ours.ask(official.address, { '@type': 'Request', items: [item] });
	await decided(official, forwarded);
	const copyId = await until('copy', async () => {
		await ours.sync();
		return (await ours.sharedBy(forwarded))[0];
	});
	await ours.gateway.attributes.deleteThirdParty(copyId);
	await official.sync();
	await until('mark', async () => {
		const there = await peer.call('consumption.attributes', 'getAttribute', { id: copyId });
		return JSON.stringify(there).includes('DeletedByEmitter') ? there : undefined;
	});
});
