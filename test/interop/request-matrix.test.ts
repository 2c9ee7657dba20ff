import type { JsonObject } from '../../core/model/json';
import { NeedsSandbox, target } from '../support/backbone/backbone-target';
import { SandboxNetwork, TestNetwork } from '../support/gateways';
import { Peer } from '../support/peer/peer';
import { differencesFromPage } from './matrix/shown-matrix';
import { itemRows, settled, type Channel, type Four, type ItemRow } from './requests/item-rows';
import { befriend, flat, officialSide } from './requests/official-side';
import {
	columnsWith,
	nameOf,
	RequestOutcomes,
	titleOf,
	variantsOf,
	type Outcome,
} from './requests/outcome';
import { ourSide, type OurSide } from './requests/our-side';
import type { SeenRequest, Side } from './requests/side';

jest.setTimeout(60_000);

/*
 * Each type of item, between us and an official runtime in both roles: accepted and rejected, by
 * template and by message, in groups and alone, mandatory and not.
 */

const seen = new RequestOutcomes();

const itemOf = ({ type }: ItemRow, members: JsonObject, mustBeAccepted: boolean): JsonObject => ({
	'@type': `${type}RequestItem`,
	mustBeAccepted,
	...members,
});

/** An item that must be accepted and another that may, and the same in a group. */
function requestOf(row: ItemRow, [a, b, c, d]: Four<JsonObject>): JsonObject {
	const group = {
		'@type': 'RequestItemGroup',
		items: [itemOf(row, c, true), itemOf(row, d, false)],
	};
	return { '@type': 'Request', items: [itemOf(row, a, true), itemOf(row, b, false), group] };
}

function decisionsOn(
	row: ItemRow,
	items: Four<JsonObject>,
	outcome: Outcome,
	recipient: Side,
): JsonObject[] {
	const decide = (item: JsonObject, isMandatory: boolean): JsonObject =>
		outcome === 'accepted' || (isMandatory && outcome !== 'rejected')
			? { accept: true, ...row.accept?.(item, recipient) }
			: { accept: false, code: 'no', message: 'Not today' };
	const [a, b, c, d] = items;
	return [decide(a, true), decide(b, false), { items: [decide(c, true), decide(d, false)] }];
}

const resultsOf = (request: SeenRequest | undefined): unknown[] =>
	flat(request?.response?.content ?? {}).map(({ result }) => result);

const expectedResults: Record<Outcome, readonly string[]> = {
	accepted: ['Accepted', 'Accepted', 'Accepted', 'Accepted'],
	'accepted without the optional items': ['Accepted', 'Rejected', 'Accepted', 'Rejected'],
	rejected: ['Rejected', 'Rejected', 'Rejected', 'Rejected'],
};

/** What both hold after an answer that names attributes. */
async function compareAttributes(
	request: SeenRequest,
	sender: Side,
	recipient: Side,
): Promise<void> {
	for (const { attributeId } of flat(request.response?.content ?? {})) {
		if (typeof attributeId !== 'string') continue;
		const [ours, theirs] = [
			await sender.attribute(attributeId),
			await recipient.attribute(attributeId),
		];
		expect(ours).toBeDefined();
		expect(ours?.content['owner']).toEqual(theirs?.content['owner']);
		expect(ours?.content['value']).toEqual(theirs?.content['value']);
	}
}

async function play(
	row: ItemRow,
	channel: Channel,
	outcome: Outcome,
	sender: Side,
	recipient: Side,
): Promise<void> {
	const items = await row.items(sender, recipient, channel);
	const request = requestOf(row, items);
	let requestId: string;
	if (channel === 'message') {
		requestId = await sender.ask(recipient.address, request);
		await recipient.sync();
		await recipient.toDecide(requestId);
	} else {
		requestId = await recipient.receive(await sender.offer(request));
	}
	const isRejected = outcome === 'rejected';
	const decisions = decisionsOn(row, items, outcome, recipient);
	const answered = await recipient.decide(requestId, isRejected ? 'reject' : 'accept', decisions);
	expect(resultsOf(answered)).toEqual(expectedResults[outcome]);
	expect(answered.status).toBe('Completed');
	await sender.sync();
	// Who rejects a template says nothing to its owner.
	const isUnheard = isRejected || row.unheardBy?.[sender.kind] !== undefined;
	if (channel === 'template' && isUnheard) {
		expect(await sender.outgoing(requestId)).toBeUndefined();
		return;
	}
	await settled(sender, requestId);
	const completed = await sender.outgoing(requestId);
	expect(completed?.response?.content['items']).toEqual(answered.response?.content['items']);
	if (completed !== undefined && row.type !== 'DeleteAttribute') {
		await compareAttributes(completed, sender, recipient);
	}
	if (row.type !== 'ShareAttribute' || outcome !== 'accepted') return;
	const shared = await sender.sharedBy(requestId);
	expect(shared).toHaveLength(4);
	for (const id of shared) expect(await recipient.attribute(id)).toBeDefined();
}

/** What the recipient does not know is refused before it is sent. */
async function playRefusal(row: ItemRow, sender: Side, recipient: Side): Promise<void> {
	const [members] = await row.items(sender, recipient, 'message');
	const request = { '@type': 'Request', items: [itemOf(row, members, true)] };
	const refusal =
		sender.kind === 'ours'
			? { facts: { itemCode: 'error.gateway.requests.notUnderstoodByPeer' } }
			: { code: 'error.runtime.requestDeserialization' };
	await expect(sender.ask(recipient.address, request)).rejects.toMatchObject(refusal);
}

/** Generation 6 speaks with Backbones of version 6 only; each runtime is played with one version. */
async function openNetwork(generation: 6 | 7): Promise<TestNetwork> {
	if (target === undefined) return await SandboxNetwork.open({ maxUnreceivedMessages: 10_000 });
	if (generation === 6) return await TestNetwork.open({ majorVersion: 6 });
	return await TestNetwork.open();
}

const generations = ([6, 7] as const).filter(
	(generation) =>
		target === undefined || (!target.isOnlyOurs && (generation === 7 || target.majorVersion === 6)),
);

for (const generation of generations)
	describe(`our gateway and the official runtime ${generation}`, () => {
		let network: TestNetwork;
		let peer: Peer;
		let official: Side;
		/** in a relationship with the peer */
		let friend: OurSide;
		beforeAll(async () => {
			network = await openNetwork(generation);
			peer = await Peer.start(generation, network.credentials);
			official = officialSide(peer, network);
			friend = await ourSide(network);
			await befriend(peer, friend, network);
		});
		afterAll(async () => {
			await network.endPeer(peer);
			await network.close();
		});

		const cases = columnsWith(generation).flatMap((column) =>
			itemRows.flatMap((row) =>
				variantsOf(column, row).map(
					(variant) =>
						[nameOf(row), titleOf(column), variant.channel, variant.outcome, column, row] as const,
				),
			),
		);

		it.each(cases)('%s, %s, by %s, %s', async (_type, _title, channel, outcome, column, row) => {
			const ours = channel === 'message' ? friend : await ourSide(network);
			const [sender, recipient] = column.sender === 'ours' ? [ours, official] : [official, ours];
			if (outcome === 'not sent') await playRefusal(row, sender, recipient);
			else await play(row, channel, outcome, sender, recipient);
			seen.add(column, row, { channel, outcome });
		});
	});

it('is what docs/interoperability.md shows', () => {
	if (target !== undefined) throw new NeedsSandbox();
	expect(differencesFromPage('requests', seen.matrix())).toEqual([]);
});
