import { partsOf } from '../../../../core/gateway/gateway-parts';
import type { AttributeRecord } from '../../../../core/model/record/attribute';
import { create, text, ThreeGateways, type Answered } from './three-gateways';

jest.setTimeout(120_000);

/* docs/protocol/connector-7.md 3, 4.1, 4.2: kinds, lists and filters of attributes */
let world: ThreeGateways;
/** shared with `b`, and replaced by a version that is not */
let first: Answered;
let second: Answered;
let unshared: Answered;
let ofPeer: Answered;
let ownOfRelationship: Answered;
let peersOfRelationship: Answered;
/** at `c`: the relationship attributes of `a` and `b` */
let forwarded: Answered[];
let reference: string;

beforeAll(async () => {
	world = await ThreeGateways.open();
	const { a, b, c } = world;
	first = await create(a, text('GivenName', 'Ada'), { tags: ['x:one', 'x:two'] });
	reference = await world.share(a, b, first);
	const succeeded = await a.ask(`POST /Attributes/${first.id}/Succeed`, {
		json: { successorContent: { value: text('GivenName', 'Ada B.') } },
	});
	second = succeeded.result.successor;
	unshared = await create(a, text('Surname', 'Lovelace'));
	const bea = await create(b, text('GivenName', 'Bea'), { tags: ['x:bea'] });
	await world.share(b, a, bea);
	await a.http.gateway.attributes.markAsViewed(unshared.id);
	ownOfRelationship = await world.relationshipAttribute(a, 'own-key', { isTechnical: true });
	peersOfRelationship = await world.relationshipAttribute(b, 'peer-key');
	for (const one of [ownOfRelationship, peersOfRelationship]) {
		await world.share(a, c, one, { thirdPartyAddress: b.address });
	}
	[ofPeer] = (await a.ask('GET /Attributes?@type=PeerIdentityAttribute')).result;
	forwarded = (await c.ask('GET /Attributes')).result;
	for (const one of [first, unshared, ownOfRelationship, peersOfRelationship]) {
		Object.assign(one, (await a.ask(`GET /Attributes/${one.id}`)).result);
	}
});
afterAll(() => world.close());

const att = expect.stringMatching(/^ATT[A-Za-z0-9]{17}$/);
const req = expect.stringMatching(/^REQ[A-Za-z0-9]{17}$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const ids = (list: Answered[]): string[] => list.map(({ id }) => id);

// shows connector-7 1: Attributes; connector-7 3: OwnIdentityAttribute; PeerIdentityAttribute;
// OwnRelationshipAttribute; PeerRelationshipAttribute; ThirdPartyRelationshipAttribute; @type,
// id, createdAt; content; succeeds?, succeededBy?, wasViewedAt?; isDefault?; peer,
// sourceReference, deletionInfo?; initialAttributePeer; numberOfForwards; paragraph 1;
// generation-7 3: RelationshipAttribute; default attributes; generation-7 9: third-party
// attribute
it('shows the five kinds with exactly their members', () => {
	const { a, b } = world;
	expect(first).toEqual({
		'@type': 'OwnIdentityAttribute',
		id: att,
		createdAt: time,
		succeededBy: second.id,
		numberOfForwards: 1,
		content: {
			'@type': 'IdentityAttribute',
			owner: a.address,
			value: text('GivenName', 'Ada'),
			tags: ['x:one', 'x:two'],
		},
	});
	expect(ofPeer).toEqual({
		'@type': 'PeerIdentityAttribute',
		id: att,
		createdAt: time,
		peer: b.address,
		sourceReference: req,
		content: {
			'@type': 'IdentityAttribute',
			owner: b.address,
			value: text('GivenName', 'Bea'),
			tags: ['x:bea'],
		},
	});
	const relationship = (owner: string, key: string, isTechnical: boolean, title = 'Customer') => ({
		id: att,
		createdAt: time,
		sourceReference: req,
		content: {
			'@type': 'RelationshipAttribute',
			...{ owner, key, isTechnical, confidentiality: 'public' },
			value: { '@type': 'ProprietaryString', title, value: key },
		},
	});
	expect(ownOfRelationship).toEqual({
		'@type': 'OwnRelationshipAttribute',
		...relationship(a.address, 'own-key', true),
		peer: b.address,
		numberOfForwards: 1,
	});
	expect(peersOfRelationship).toEqual({
		'@type': 'PeerRelationshipAttribute',
		...relationship(b.address, 'peer-key', false),
		peer: b.address,
		numberOfForwards: 1,
	});
	const third = { peer: a.address, initialAttributePeer: b.address };
	expect(forwarded).toEqual([
		{
			'@type': 'ThirdPartyRelationshipAttribute',
			...relationship(a.address, 'own-key', true),
			...third,
		},
		{
			'@type': 'ThirdPartyRelationshipAttribute',
			...relationship(b.address, 'peer-key', false),
			...third,
		},
	]);
});

// shows connector-7 4: GET, GET /{id}; connector-7 4.1: paragraph 1; generation-7 9: paragraph 1
it('lists all attributes once, oldest first, and no copies', async () => {
	const { result } = await world.a.ask('GET /Attributes');
	const all = [first, second, unshared, ofPeer, ownOfRelationship, peersOfRelationship];
	expect(ids(result)).toEqual(ids(all));
	const paged: Answered[] = [];
	for (let page: Answered[] = []; paged.length < 6; paged.push(...page)) {
		const after = paged.length === 0 ? {} : { after: paged.at(-1).id };
		page = await world.a.http.gateway.localAttributes.list({ limit: 4, ...after });
	}
	expect(paged).toEqual(result);
});

// shows connector-7 1: Routes added; connector-7 4: GET /Own/Identity; connector-7 4.2:
// /Own/Identity
it('lists own identity attributes, in their latest versions unless asked for others', async () => {
	const latest = await world.a.ask('GET /Attributes/Own/Identity');
	expect(ids(latest.result)).toEqual([second.id, unshared.id]);
	const all = await world.a.ask('GET /Attributes/Own/Identity?onlyLatestVersions=false');
	expect(ids(all.result)).toEqual([first.id, second.id, unshared.id]);
});

// shows connector-7 1: Routes added; connector-7 4: GET /Own/Shared/{peer}, /Peer/{peer};
// connector-7 4.1: paragraph 1; connector-7 4.2: /Own/Shared/{peer}; generation-7 3:
// RelationshipAttribute
it('lists what a peer has: forwarded attributes first, then attributes of the relationship', async () => {
	const { a, b, c } = world;
	const list = async (peer: string, query = ''): Promise<string[]> =>
		ids((await a.ask(`GET /Attributes/Own/Shared/${peer}${query}`)).result);
	expect(await list(b.address)).toEqual([first.id, ownOfRelationship.id]);
	expect(await list(b.address, '?hideTechnical=true')).toEqual([first.id]);
	expect(await list(c.address)).toEqual([ownOfRelationship.id]);
	expect(await list(c.address, '?@type=PeerRelationshipAttribute')).toEqual([
		peersOfRelationship.id,
	]);
	expect((await a.ask('GET /Attributes/Own/Shared/something')).error).toMatchObject({
		code: 'error.runtime.validation.invalidPropertyValue',
		message: expect.stringMatching(/^peer must match pattern /),
	});
});

// shows connector-7 4: GET /Own/Shared/{peer}, /Peer/{peer}; connector-7 4.2: /Peer/{peer}
it('lists what a peer has shared, whatever its owner', async () => {
	const { a, b, c } = world;
	const list = async (query = ''): Promise<string[]> =>
		ids((await a.ask(`GET /Attributes/Peer/${b.address}${query}`)).result);
	expect(await list()).toEqual([ofPeer.id, peersOfRelationship.id]);
	expect(await list('?@type=PeerIdentityAttribute')).toEqual([ofPeer.id]);
	const third = await c.ask(`GET /Attributes/Peer/${a.address}`);
	expect(third.result).toEqual(forwarded);
	const notTechnical = await c.ask(`GET /Attributes/Peer/${a.address}?hideTechnical=true`);
	expect(ids(notTechnical.result)).toEqual([forwarded[1].id]);
	expect((await c.ask(`GET /Attributes/Peer/${b.address}`)).result).toEqual([]);
});

// shows connector-7 4.2: GET Relationships/{id}/Attributes
it('lists what both sides of a relationship have', async () => {
	const { result } = await world.a.ask(`GET /Relationships/${world.relationshipId}/Attributes`);
	expect(ids(result)).toEqual(ids([first, ofPeer, ownOfRelationship, peersOfRelationship]));
});

// shows connector-7 3: paragraph 2; connector-7 4: GET /{id}/ForwardingDetails; paragraph 1;
// generation-7 8.6: paragraph 4; generation-7 9: no copies
it('shows the details of sharings, and none for what cannot be forwarded', async () => {
	const { a, b } = world;
	const details = await a.ask(`GET /Attributes/${first.id}/ForwardingDetails`);
	expect(details.result).toEqual([{ peer: b.address, sourceReference: reference, sharedAt: time }]);
	expect((await a.ask(`GET /Attributes/${ofPeer.id}/ForwardingDetails`)).result).toEqual([]);
	for (const id of ['ATT00000000000000000', 'something']) {
		const { status, error } = await a.ask(`GET /Attributes/${id}/ForwardingDetails`);
		expect([status, error.code]).toEqual([404, 'error.runtime.recordNotFound']);
	}
});

// shows connector-7 4: GET /{id}/Versions; GET /{id}/Versions/Shared; connector-7 4.2:
// /{id}/Versions/Shared
it('lists versions, and those that a peer has', async () => {
	const { a, b, c } = world;
	const { result } = await a.ask(`GET /Attributes/${first.id}/Versions`);
	expect(ids(result)).toEqual([second.id, first.id]);
	const shared = async (id: string, peer: string): Promise<string[]> =>
		ids((await a.ask(`GET /Attributes/${id}/Versions/Shared?peer=${peer}`)).result);
	expect(await shared(second.id, b.address)).toEqual([first.id]);
	expect(await shared(second.id, c.address)).toEqual([]);
	const without = await a.ask(`GET /Attributes/${first.id}/Versions/Shared`);
	expect([without.status, without.error.message]).toEqual([
		400,
		"must have required property 'peer'",
	]);
	const foreign = await a.ask(`GET /Attributes/${ofPeer.id}/Versions/Shared?peer=${b.address}`);
	expect([foreign.status, foreign.error.code]).toEqual([
		400,
		'error.runtime.validation.invalidPropertyValue',
	]);
});

describe('one attribute', () => {
	// shows connector-7 4: GET, GET /{id}; paragraph 1
	it('is not found under the id of a copy, or an unknown one', async () => {
		const [copy] = await world.a.http.gateway.attributes.listOwnShared({ peer: world.b.address });
		for (const id of [copy?.id, 'ATT00000000000000000']) {
			const { status, error } = await world.a.ask(`GET /Attributes/${id}`);
			expect([status, error.code, error.message]).toEqual([
				404,
				'error.runtime.recordNotFound',
				'LocalAttribute not found. Make sure the ID exists and the record is not expired.',
			]);
		}
		const { status, error } = await world.a.ask('GET /Attributes/something');
		expect([status, error.message]).toEqual([400, 'id must match pattern ATT[A-Za-z0-9]{17}']);
	});
});

// shows connector-7 3: paragraph 4; generation-7 9: versions
it('names what a peer has shared by the id of the peer, in links and lists too', async () => {
	const { ask, http } = world.b;
	const { address } = world.a;
	const id = (name: string): string => `ATT${name.padEnd(17, 'x')}`;
	const version = (one: string, more: object): AttributeRecord => ({
		id: id(`record${one}`),
		createdAt: `2026-01-0${one}T00:00:00.000Z`,
		content: {
			'@type': 'IdentityAttribute',
			owner: address,
			value: { '@type': 'City', value: one },
		},
		shareInfo: { peer: address, requestReference: 'REQ1', sharedId: id(`shared${one}`) },
		...more,
	});
	await partsOf(http.gateway).store.transact(async (tx) => {
		await tx.attributes.insert(version('1', { succeededBy: id('record2') }), undefined);
		await tx.attributes.insert(version('2', { succeeds: id('record1') }), undefined);
	});
	const { result } = await ask(`GET /Attributes/${id('shared1')}`);
	expect(result).toMatchObject({ id: id('shared1'), succeededBy: id('shared2') });
	expect((await ask(`GET /Attributes/${id('record1')}`)).status).toBe(404);
	const next = await ask(`GET /Attributes?succeeds=${id('shared1')}`);
	expect(next.result).toMatchObject([{ id: id('shared2'), succeeds: id('shared1') }]);
	const after = await http.gateway.localAttributes.list({ after: id('shared1'), limit: 1 });
	expect(after).toEqual(next.result);
	const versions = await ask(`GET /Attributes/${id('shared2')}/Versions`);
	expect(ids(versions.result)).toEqual([id('shared2'), id('shared1')]);
});

/** Value of a member that a filter names; of a list the first entry. */
const valueAt = (object: Answered, field: string): unknown => {
	const found = field.split('.').reduce((at, name) => at?.[name], object);
	return Array.isArray(found) ? found[0] : found;
};
const changed = (value: unknown): string =>
	typeof value === 'boolean' ? String(!value) : `${String(value).slice(0, -2)}xx`;

describe('filters', () => {
	const common = ['@type', 'createdAt', 'content.@type', 'content.value.@type', 'content.owner'];
	const identity = ['content.tags'];
	const relationship = ['content.key', 'content.isTechnical', 'content.confidentiality'];
	const shared = ['peer', 'sourceReference'];
	// shows connector-7 4.1: GET /Attributes
	it.each([
		['own identity', () => first, [...common, ...identity, 'succeededBy'], 'a'],
		['its successor', () => second, ['succeeds'], 'a'],
		['viewed', () => unshared, ['wasViewedAt'], 'a'],
		["a peer's identity", () => ofPeer, [...common, ...identity, ...shared], 'a'],
		['own relationship', () => ownOfRelationship, [...common, ...relationship, ...shared], 'a'],
		['peer', () => peersOfRelationship, [...common, ...relationship, ...shared], 'a'],
		[
			'third party',
			() => forwarded[0],
			[...common, ...relationship, ...shared, 'initialAttributePeer'],
			'c',
		],
	] as const)(
		'of all attributes find %s by its values only',
		async (_name, object, fields, side) => {
			const { id } = object();
			for (const field of fields) {
				const value = valueAt(object(), field);
				expect([field, value]).not.toContain(undefined);
				const found = async (text: string): Promise<boolean> => {
					const call = `GET /Attributes?${field}=${encodeURIComponent(text)}`;
					const { status, result } = await world[side].ask(call);
					expect([call, status]).toEqual([call, 200]);
					return ids(result).includes(id);
				};
				const outcome = [await found(String(value)), await found(changed(value))];
				expect([field, ...outcome]).toEqual([field, true, false]);
			}
		},
	);

	// shows connector-7 4.1: GET /Attributes
	it('find what has a member or lacks it, and several kinds at once', async () => {
		const find = async (query: string): Promise<string[]> =>
			ids((await world.a.ask(`GET /Attributes?${query}`)).result);
		expect(await find('peer=!')).toEqual(ids([first, second, unshared]));
		expect(await find('peer=')).toEqual(ids([ofPeer, ownOfRelationship, peersOfRelationship]));
		expect(await find('@type=OwnRelationshipAttribute&@type=PeerIdentityAttribute')).toEqual(
			ids([ofPeer, ownOfRelationship]),
		);
		expect(await find('@type=!OwnIdentityAttribute')).toEqual(
			ids([ofPeer, ownOfRelationship, peersOfRelationship]),
		);
		expect(await find('@type=^Peer')).toEqual(ids([ofPeer, peersOfRelationship]));
		expect(await find('sourceReference=!')).toEqual(ids([first, second, unshared]));
		expect(await find('onlyValid=true&hideTechnical=true&other=1')).toHaveLength(6);
	});

	// shows connector-7 4.1: /Own/Identity; /Own/Shared/{peer}; /Peer/{peer}
	it('of the other lists find by their fields', async () => {
		const { a, b, c } = world;
		const rows = [
			[a, '/Own/Identity', second, ['createdAt', 'content.value.@type']],
			[a, '/Own/Identity', unshared, ['wasViewedAt']],
			[
				a,
				`/Own/Shared/${b.address}`,
				ownOfRelationship,
				['@type', 'createdAt', 'content.@type', ...relationship, 'sourceReference'],
			],
			[a, `/Own/Shared/${b.address}`, first, ['content.tags', 'content.value.@type']],
			[a, `/Peer/${b.address}`, ofPeer, ['@type', 'content.tags', 'sourceReference']],
			[
				c,
				`/Peer/${a.address}`,
				forwarded[0],
				['@type', 'createdAt', ...relationship, 'initialAttributePeer'],
			],
		] as const;
		for (const [side, path, object, fields] of rows) {
			for (const field of fields) {
				const value = valueAt(object, field);
				const found = async (text: string): Promise<boolean> => {
					const call = `GET /Attributes${path}?${field}=${encodeURIComponent(text)}`;
					const { status, result } = await side.ask(call);
					expect([call, status]).toEqual([call, 200]);
					return ids(result).includes(object.id);
				};
				const outcome = [await found(String(value)), await found(changed(value))];
				expect([path, field, ...outcome]).toEqual([path, field, true, false]);
			}
		}
	});

	// shows connector-7 4.1: /{id}/ForwardingDetails
	it('of forwarding details find by their fields', async () => {
		const path = `/Attributes/${first.id}/ForwardingDetails`;
		const [details] = (await world.a.ask(`GET ${path}`)).result;
		for (const field of ['peer', 'sourceReference', 'sharedAt']) {
			const count = async (value: string): Promise<number> =>
				(await world.a.ask(`GET ${path}?${field}=${encodeURIComponent(value)}`)).result.length;
			const outcome = [await count(details[field]), await count(changed(details[field]))];
			expect([field, ...outcome]).toEqual([field, 1, 0]);
		}
		const marked = (query: string) => world.a.ask(`GET ${path}?${query}`);
		expect((await marked('deletionInfo=')).result).toEqual([]);
		expect((await marked('deletionInfo=!')).result).toHaveLength(1);
		expect((await marked('deletionInfo.deletionStatus=DeletedByRecipient')).result).toEqual([]);
	});

	// shows connector-7 4: paragraph 2; connector-7 4.1: /Own/Identity; /Own/Shared/{peer};
	// /Peer/{peer}; /{id}/ForwardingDetails
	it('that a list does not have are refused, and so are several values for a single one', async () => {
		const { a, b } = world;
		for (const call of [
			'/Own/Identity?peer=x',
			'/Own/Identity?isDefault=true&isDefault=false',
			`/Own/Shared/${b.address}?content.owner=x`,
			`/Own/Shared/${b.address}?createdAt=1&createdAt=2`,
			`/Peer/${b.address}?isDefault=true`,
			`/${first.id}/ForwardingDetails?createdAt=1`,
		]) {
			const { status, error } = await a.ask(`GET /Attributes${call}`);
			const code = 'error.runtime.validation.invalidPropertyValue';
			expect([call, status, error?.code]).toEqual([call, 400, code]);
		}
	});
});

describe('queries', () => {
	const execute = (name: string, query: object) =>
		world.a.ask(`POST /Attributes/Execute${name}`, { json: { query } });

	// shows connector-7 4: POST /ExecuteIdentityAttributeQuery; connector-7 4.2: Execute identity,
	// IQL query
	it('find own identity attributes in all versions', async () => {
		const identity = await execute('IdentityAttributeQuery', {
			'@type': 'IdentityAttributeQuery',
			valueType: 'GivenName',
		});
		expect([identity.status, ids(identity.result)]).toEqual([200, ids([first, second])]);
		const iql = await execute('IQLQuery', { queryString: "GivenName='Ada'" });
		expect(iql.result).toEqual([first]);
	});

	// shows connector-7 4.2: Execute relationship query
	it('find one relationship attribute by key and owner', async () => {
		const query = {
			'@type': 'RelationshipAttributeQuery',
			key: 'own-key',
			owner: '',
			attributeCreationHints: {
				'@type': 'RelationshipAttributeCreationHints',
				title: 'Any',
				valueType: 'ProprietaryInteger',
				confidentiality: 'public',
			},
		};
		const found = await execute('RelationshipAttributeQuery', query);
		expect([found.status, found.result]).toEqual([200, ownOfRelationship]);
		const none = await execute('RelationshipAttributeQuery', { ...query, key: 'other' });
		expect([none.status, none.error.code]).toEqual([404, 'error.runtime.recordNotFound']);
	});

	// shows connector-7 4.2: Execute third-party query
	it('find relationship attributes with third parties, and no copies', async () => {
		const { b, c } = world;
		const query = (thirdParty: string) => ({
			'@type': 'ThirdPartyRelationshipAttributeQuery',
			...{ key: 'peer-key', owner: '', thirdParty: [thirdParty] },
		});
		const found = await execute('ThirdPartyRelationshipAttributeQuery', query(b.address));
		expect(found.result).toEqual([peersOfRelationship]);
		const copies = await execute('ThirdPartyRelationshipAttributeQuery', query(c.address));
		expect(copies.result).toEqual([]);
	});
});

// shows connector-7 11: documentation routes
it('describes its routes, each under a name of its own', async () => {
	const { json } = await world.a.http.ask('GET /docs/json');
	const listed = json.paths['/api/core/v1/Attributes/Peer/{peer}'].get;
	const parameters = listed.parameters.map(({ name }: Answered) => name);
	expect(parameters).toEqual(expect.arrayContaining(['peer', 'initialAttributePeer', '@type']));
	expect(JSON.stringify(json.components.schemas)).not.toContain('sourceIsDeleted');
	const names = Object.values<object>(json.paths)
		.flatMap((methods) => Object.values<Answered>(methods))
		.map(({ operationId }) => operationId);
	expect(new Set(names).size).toBe(names.length);
});
