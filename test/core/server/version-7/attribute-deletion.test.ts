import { inOneHour, settle } from '../../../support/gateways';
import { create, text, ThreeGateways, type Answered, type Side } from './three-gateways';

jest.setTimeout(120_000);

/* docs/protocol/connector-7.md 4.3, Delete; docs/protocol/generation-7.md 9 */
let world: ThreeGateways;

beforeAll(async () => {
	world = await ThreeGateways.open();
});
afterAll(() => world.close());

const remove = async ({ ask }: Side, id: string): Promise<string[]> => {
	const { status, result } = await ask(`DELETE /Attributes/${id}`);
	expect(status).toBe(200);
	await world.sync();
	return result.notificationIds;
};
const succeed = async (id: string, value: object): Promise<Answered> => {
	const json = { successorContent: { value } };
	return (await world.a.ask(`POST /Attributes/${id}/Succeed`, { json })).result.successor;
};
const statusesOf = async ({ ask }: Side, query: string): Promise<string[]> => {
	const { result } = await ask(`GET /Attributes?${query}`);
	return result.map(({ deletionInfo }: Answered) => deletionInfo?.deletionStatus);
};
const detailsOf = async (id: string): Promise<Answered[]> =>
	(await world.a.ask(`GET /Attributes/${id}/ForwardingDetails`)).result;
/** Recipients of the notifications, in their order */
const toldOf = async (ids: string[]): Promise<string[]> => {
	const sent = await world.a.http.gateway.localNotifications.list();
	return ids.map((id) => sent.find((one) => one.id === id)?.peer ?? '');
};

// shows connector-7 4: DELETE /{id}; connector-7 4.3: Delete
it('of an unshared attribute tells no peer, whatever answer is accepted', async () => {
	const { id } = await create(world.a, text('Surname', 'Alone'));
	const { status, result } = await world.a.ask(`DELETE /Attributes/${id}`, {
		headers: { accept: 'text/plain' },
	});
	expect([status, result]).toEqual([200, { notificationIds: [] }]);
	for (const [call, expected] of [
		[`/${id}`, 404],
		['/something', 400],
	] as const) {
		expect((await world.a.ask(`DELETE /Attributes${call}`)).status).toBe(expected);
	}
});

// shows connector-7 4.3: Delete; generation-7 9: OwnIdentity; besides, of the three kinds that
// can be; generation-7 10: OwnAttributeDeletedByOwner
it('of an own identity attribute tells those with any version, and removes all earlier ones', async () => {
	const { a, b, c } = world;
	const first = await create(a, text('GivenName', 'First'));
	await world.share(a, b, first);
	await world.share(a, c, first);
	const second = await succeed(first.id, text('GivenName', 'Second'));
	await a.ask(`POST /Attributes/${second.id}/NotifyPeer`, { json: { peer: b.address } });
	await world.sync();
	const third = await succeed(second.id, text('GivenName', 'Third'));

	const told = await remove(a, second.id);
	expect(await toldOf(told)).toEqual([b.address, c.address]);
	const left = await a.ask(`GET /Attributes?content.value.@type=GivenName`);
	expect(left.result).toEqual([expect.objectContaining({ id: third.id, numberOfForwards: 0 })]);
	expect(left.result[0]).not.toHaveProperty('succeeds');
	const gone = 'DeletedByEmitter';
	const query = `peer=${a.address}&content.value.@type=GivenName`;
	expect(await statusesOf(b, query)).toEqual([gone, gone]);
	expect(await statusesOf(c, query)).toEqual([gone]);
	expect(await statusesOf(b, `${query}&deletionInfo.deletionStatus=DeletedByEmitter`)).toEqual([
		gone,
		gone,
	]);
	expect(await statusesOf(b, `${query}&deletionInfo.deletionStatus=!DeletedByEmitter`)).toEqual([]);
	const events = await a.http.gateway.events.recent({}, 1_000);
	// Earlier events about what was deleted, here or as a copy at a peer, have gone with it.
	const about = events.filter(({ event }) => /attribute/i.test(event)).map(({ event }) => event);
	expect(about).toEqual(Array.from({ length: 3 }, () => 'consumption.attributeDeleted'));
	expect((await a.http.gateway.attributes.list()).map(({ id }) => id)).toEqual([third.id]);
});

// shows connector-7 4.3: Delete; generation-7 9: OwnRelationship; generation-7 10:
// OwnAttributeDeletedByOwner
it('of an own relationship attribute tells its peer first, then third parties', async () => {
	const { a, b, c } = world;
	const own = await world.relationshipAttribute(a, 'own');
	await world.share(a, c, own, { thirdPartyAddress: b.address });
	expect(await toldOf(await remove(a, own.id))).toEqual([b.address, c.address]);
	for (const side of [b, c]) {
		expect(await statusesOf(side, 'content.key=own')).toEqual(['DeletedByEmitter']);
	}
	expect(await statusesOf(a, 'content.key=own')).toEqual([]);
});

// shows generation-7 9: PeerRelationship; generation-7 10: PeerRelationshipAttributeDeletedByPeer
it("of a peer's relationship attribute tells its owner first, then third parties", async () => {
	const { a, b, c } = world;
	const theirs = await world.relationshipAttribute(b, 'theirs');
	await world.share(a, c, theirs, { thirdPartyAddress: b.address });
	expect(await toldOf(await remove(a, theirs.id))).toEqual([b.address, c.address]);
	expect(await statusesOf(b, 'content.key=theirs')).toEqual(['DeletedByRecipient']);
	expect(await statusesOf(c, 'content.key=theirs')).toEqual(['DeletedByEmitter']);
});

// shows connector-7 3: paragraph 3; connector-7 4.1: /{id}/ForwardingDetails; generation-7 9:
// PeerIdentity, ThirdParty; generation-7 10: ForwardedAttributeDeletedByPeer
it('of what a peer has forwarded tells that peer, whose details show it', async () => {
	const { a, b, c } = world;
	const own = await world.relationshipAttribute(a, 'forwarded');
	await world.share(a, c, own, { thirdPartyAddress: b.address });
	const name = await create(a, text('DisplayName', 'Ada'));
	await world.share(a, c, name);
	for (const query of ['content.key=forwarded', 'content.value.@type=DisplayName']) {
		const [theirs] = (await c.ask(`GET /Attributes?${query}`)).result;
		expect(await remove(c, theirs.id)).toHaveLength(1);
	}
	for (const { id } of [own, name]) {
		const [details] = await detailsOf(id);
		expect(details.deletionInfo).toMatchObject({ deletionStatus: 'DeletedByRecipient' });
		const call = `GET /Attributes/${id}/ForwardingDetails?deletionInfo.deletionStatus=`;
		expect((await a.ask(`${call}DeletedByRecipient`)).result).toEqual([details]);
		expect((await a.ask(`${call}DeletionRequestSent`)).result).toEqual([]);
		const date = `deletionInfo.deletionDate=${details.deletionInfo.deletionDate}`;
		expect((await a.ask(`GET /Attributes/${id}/ForwardingDetails?${date}`)).result).toEqual([
			details,
		]);
		// The peer has deleted it, so the last deletion below tells no peer.
		const shared = await a.ask(`GET /Attributes/${id}/Versions/Shared?peer=${c.address}`);
		expect(shared.result).toEqual([]);
	}
	expect(await remove(a, name.id)).toEqual([]);
});

// shows connector-7 4.3: Delete; paragraph 1
it('of an attribute in a pending relationship is refused', async () => {
	const { a } = world;
	const read = {
		'@type': 'ReadAttributeRequestItem' as const,
		mustBeAccepted: true,
		query: { '@type': 'IdentityAttributeQuery' as const, valueType: 'Surname' as const },
	};
	const template = await a.http.gateway.templates.create({
		expiresAt: inOneHour(),
		content: { '@type': 'RelationshipTemplateContent', onNewRelationship: { items: [read] } },
	});
	const d = await ThreeGateways.side(world.network);
	await d.http.gateway.templates.loadPeer({ reference: template.truncatedReference });
	const own = await create(d, text('Surname', 'Pending'));
	const [request] = await d.http.gateway.incomingRequests.list();
	await d.http.gateway.incomingRequests.accept(request?.id ?? '', {
		items: [{ accept: true, existingAttributeId: own.id }],
	});
	const { status, error } = await d.ask(`DELETE /Attributes/${own.id}`);
	expect([status, error.code, error.message]).toEqual([
		400,
		'error.runtime.attributes.cannotDeleteSharedAttributeWhileRelationshipIsPending',
		`The shared Attribute '${own.id}' cannot be deleted while the Relationship to a peer is in status 'Pending'. If you want to delete it now, you'll have to accept, reject or revoke the pending Relationship.`,
	]);
	expect((await d.ask(`GET /Attributes/${own.id}`)).status).toBe(200);
	await d.http.close();
});

// shows generation-7 9: paragraph 1
it('by way of version 6 leaves no copy that looks like an attribute of a third party', async () => {
	const { a, b, c } = world;
	const theirs = await world.relationshipAttribute(b, 'detached');
	await world.share(a, c, theirs, { thirdPartyAddress: b.address });
	await a.http.gateway.attributes.deletePeerShared(theirs.id);
	await settle(b.http.gateway);
	expect(await statusesOf(a, 'content.key=detached')).toEqual([]);
	const copies = await a.http.gateway.attributes.list({ query: { 'content.key': 'detached' } });
	expect(copies).toMatchObject([{ shareInfo: { peer: c.address } }]);
	const found = await a.ask(`GET /Attributes/${copies[0]?.id}`);
	expect(found.status).toBe(404);
});
