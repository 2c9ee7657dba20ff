import { inOneHour, relate } from '../../../support/gateways';
import { openCarelessPeer } from '../../../support/peer/careless-peer';
import { ThreeGateways, type Answered } from './three-gateways';

jest.setTimeout(120_000);

/*
 * Requests to delete relationship attributes that were forwarded to a third party
 * (docs/protocol/generation-7.md 8.6, 8.7).
 */
let world: ThreeGateways;

beforeAll(async () => {
	world = await ThreeGateways.open();
});
afterAll(() => world.close());

const item = (attributeId: string) => ({
	'@type': 'DeleteAttributeRequestItem',
	mustBeAccepted: false,
	attributeId,
});

/** A relationship attribute of the peer of `a`, forwarded to `c`; as `a` shows it. */
async function forwarded(key: string): Promise<Answered> {
	const theirs = await world.relationshipAttribute(world.b, key);
	await forward(theirs);
	return theirs;
}

const forward = (attribute: Answered): Promise<string> =>
	world.share(world.a, world.c, attribute, { thirdPartyAddress: world.b.address });

const problemOf = async (attributeId: string, peer: string): Promise<Answered> => {
	const json = { content: { items: [item(attributeId)] }, peer };
	const { result } = await world.a.ask('POST /Requests/Outgoing/Validate', { json });
	return result.items[0].code;
};
const invalid = 'error.consumption.requests.invalidRequestItem';

/** Asks `c` for the deletion, and brings the request. */
async function askToDelete(attributeId: string): Promise<string> {
	const { a, c } = world;
	const json = { content: { items: [item(attributeId)] }, peer: c.address };
	const { content, id } = (await a.ask('POST /Requests/Outgoing', { json })).result;
	await a.ask('POST /Messages', { json: { recipients: [c.address], content } });
	await world.sync();
	return id;
}

async function answer(id: string, how: 'Accept' | 'Reject', decision: object): Promise<void> {
	const json = { items: [decision] };
	const { error } = await world.c.ask(`PUT /Requests/Incoming/${id}/${how}`, { json });
	expect(error).toBeUndefined();
	await world.sync();
}

const agree = async (id: string): Promise<void> =>
	await answer(id, 'Accept', { accept: true, deletionDate: inOneHour() });

/** Statuses of the details at `a`, and of the attribute at `c`. */
async function statuses(id: string): Promise<unknown[]> {
	const details = (await world.a.ask(`GET /Attributes/${id}/ForwardingDetails`)).result;
	const theirs = (await world.c.ask(`GET /Attributes/${id}`)).result;
	return [...details, theirs].map(
		({ deletionInfo }: Answered) => deletionInfo?.deletionStatus ?? 'none',
	);
}

describe("the deletion of a peer's relationship attribute at a third party", () => {
	// shows connector-7 3: paragraph 3; connector-7 8: Delete; generation-7 8.7: paragraph 2;
	// PeerRelationship, not firmly shared; generation-7 9: who may forward
	it('is asked for, rejected, agreed to and done', async () => {
		const { a, c } = world;
		const { id } = await forwarded('asked');
		expect(await problemOf(id, c.address)).toBeUndefined();
		const first = await askToDelete(id);
		expect(await statuses(id)).toEqual(['DeletionRequestSent', 'none']);
		await answer(first, 'Reject', { accept: false });
		expect(await statuses(id)).toEqual(['DeletionRequestRejected', 'none']);

		expect(await problemOf(id, c.address)).toBeUndefined();
		await agree(await askToDelete(id));
		expect(await statuses(id)).toEqual(['ToBeDeletedByRecipient', 'ToBeDeleted']);
		expect(await problemOf(id, c.address)).toBe(invalid);

		await c.ask(`DELETE /Attributes/${id}`);
		await world.sync();
		const details = (await a.ask(`GET /Attributes/${id}/ForwardingDetails`)).result;
		expect(details).toMatchObject([{ deletionInfo: { deletionStatus: 'DeletedByRecipient' } }]);
		expect(await problemOf(id, c.address)).toBe(invalid);
		expect((await a.ask(`GET /Attributes/${id}`)).result).not.toHaveProperty('deletionInfo');
	});

	// shows generation-7 8.7: PeerRelationship, recipient is its peer; PeerRelationship, not firmly
	// shared
	it('is not asked for of its owner, nor of a peer that lacks it', async () => {
		const { b, c } = world;
		const { id } = await forwarded('not-asked');
		expect(await problemOf(id, b.address)).toBe(invalid);
		const unshared = await world.relationshipAttribute(b, 'kept-here');
		expect(await problemOf(unshared.id, c.address)).toBe(invalid);
	});

	// shows connector-7 3: paragraph 2; generation-7 8.6: paragraph 1; paragraph 3
	it('is called off when the attribute is forwarded again', async () => {
		const { a, c } = world;
		const theirs = await forwarded('again');
		await agree(await askToDelete(theirs.id));
		const id = await forward(theirs);
		const { response } = (await c.ask(`GET /Requests/Incoming/${id}`)).result;
		expect(response.content.items).toMatchObject([
			{ '@type': 'AttributeAlreadySharedAcceptResponseItem', attributeId: theirs.id },
		]);
		expect(await statuses(theirs.id)).toEqual(['none', 'none']);
		expect((await a.ask(`GET /Attributes/${theirs.id}`)).result.numberOfForwards).toBe(1);
	});

	// shows generation-7 8.7: paragraph 2
	it('includes earlier versions', async () => {
		const { a, b, c } = world;
		const theirs = await forwarded('versions');
		const value = { '@type': 'ProprietaryString', title: 'Customer', value: 'second' };
		const json = { successorContent: { value } };
		const { successor } = (await b.ask(`POST /Attributes/${theirs.id}/Succeed`, { json })).result;
		await world.sync();
		await world.request(
			c,
			a,
			{
				'@type': 'ReadAttributeRequestItem',
				mustBeAccepted: true,
				query: {
					'@type': 'ThirdPartyRelationshipAttributeQuery',
					...{ key: 'versions', owner: 'thirdParty', thirdParty: [b.address] },
				},
			},
			{ existingAttributeId: successor.id },
		);
		await agree(await askToDelete(successor.id));
		for (const id of [theirs.id, successor.id]) {
			expect(await statuses(id)).toEqual(['ToBeDeletedByRecipient', 'ToBeDeleted']);
		}
	});
});

// shows generation-7 8.7: paragraph 2
it('a peer cannot ask for the deletion of what it has not shared', async () => {
	const { network, a } = world;
	const config = network.config();
	const sender = await network.gateway(config);
	const { addressA, addressB } = await relate(a.http.gateway, sender);
	await sender.close();
	const peer = await openCarelessPeer(config);
	const own = await world.relationshipAttribute(a, 'own');
	const id = 'REQ00000000000000001';
	await peer.send(addressA, { '@type': 'Request', id, items: [item(own.id)] });
	await peer.close();
	await world.sync();
	expect((await a.ask(`GET /Requests/Incoming/${id}`)).result.peer).toBe(addressB);
	const json = { items: [{ accept: true, deletionDate: inOneHour() }] };
	const { result } = await a.ask(`PUT /Requests/Incoming/${id}/CanAccept`, { json });
	expect(result.items[0].code).toBe(invalid);
	expect((await a.ask(`GET /Attributes/${own.id}`)).result).not.toHaveProperty('deletionInfo');
});
