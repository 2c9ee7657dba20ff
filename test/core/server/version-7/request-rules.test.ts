import { settle } from '../../../support/gateways';
import { create, text, ThreeGateways, type Answered } from './three-gateways';

jest.setTimeout(120_000);

/* docs/protocol/generation-7.md 8: what may be asked for, and how it may be answered */
let world: ThreeGateways;
let created: Readonly<Record<string, Answered>>;
let number = 0;

const given = (value: string) => text('GivenName', value);
const item = (type: string, more: object) => ({
	'@type': `${type}RequestItem`,
	mustBeAccepted: true,
	...more,
});
const succeed = async (id: string): Promise<Answered> => {
	const json = { successorContent: { value: given(`Version ${number++}`) } };
	return (await world.a.ask(`POST /Attributes/${id}/Succeed`, { json })).result.successor;
};

beforeAll(async () => {
	world = await ThreeGateways.open();
	const { a, b, c } = world;
	const identity = (): Promise<Answered> => create(a, given(`Name ${number++}`));
	const [shared, earlier, outdated, unshared] = [
		await identity(),
		await identity(),
		await identity(),
		await identity(),
	];
	await world.share(a, b, shared);
	await world.share(a, b, earlier);
	const [later, newer] = [await succeed(earlier.id), await succeed(outdated.id)];
	await world.share(a, b, newer);
	await world.share(a, c, newer);
	await world.share(b, a, await create(b, given('Bea')));
	const [ofPeer] = (await a.ask('GET /Attributes?@type=PeerIdentityAttribute')).result;
	const own = await world.relationshipAttribute(a, 'own');
	const theirs = await world.relationshipAttribute(b, 'theirs');
	const secret = await world.relationshipAttribute(a, 'secret', { confidentiality: 'private' });
	created = { shared, later, outdated, unshared, ofPeer, own, theirs, secret };
});
afterAll(() => world.close());

const one = (name: string): Answered => created[name];
const invalid = 'error.consumption.requests.invalidRequestItem';
const mismatch = 'error.consumption.requests.attributeQueryMismatch';
const unfit = 'error.consumption.requests.invalidAcceptParameters';

const identityOf = (owner: string) => ({
	'@type': 'IdentityAttribute',
	owner,
	value: given('Any'),
});
const relationshipOf = (owner: string, key = 'other') => ({
	'@type': 'RelationshipAttribute',
	...{ owner, key, confidentiality: 'public' },
	value: { '@type': 'ProprietaryString', title: 'Customer', value: 'x' },
});
const asked = (valueType = 'GivenName') => ({ '@type': 'IdentityAttributeQuery', valueType });
const askedOfRelationship = (owner: string, key = 'other') => ({
	'@type': 'RelationshipAttributeQuery',
	...{ owner, key },
	attributeCreationHints: {
		'@type': 'RelationshipAttributeCreationHints',
		...{ title: 'Customer', valueType: 'ProprietaryString', confidentiality: 'public' },
	},
});
const askedOfThird = (key: string, thirdParty: string) => ({
	'@type': 'ThirdPartyRelationshipAttributeQuery',
	...{ key, owner: '', thirdParty: [thirdParty] },
});
const sharing = (name: string, more: object = {}) =>
	item('ShareAttribute', { attribute: one(name).content, attributeId: one(name).id, ...more });
const proposing = (query: object, attribute: object) =>
	item('ProposeAttribute', { query, attribute });
const reading = (query: object) => item('ReadAttribute', { query });
const deleting = (attributeId: string) => item('DeleteAttribute', { attributeId });

type Peer = 'b' | 'c' | 'none';
type Case = [string, () => object, string | undefined];
type PeerCase = [...Case, Peer];

async function codeOf(asking: object, peer: Peer = 'b'): Promise<unknown> {
	const { status, result, error } = await world.a.ask('POST /Requests/Outgoing/Validate', {
		json: {
			content: { items: [asking] },
			...(peer === 'none' ? {} : { peer: world[peer].address }),
		},
	});
	expect([status, error]).toEqual([201, undefined]);
	return result.items[0].code;
}

describe('asking a peer', () => {
	const { a, b, c } = {
		a: () => world.a.address,
		b: () => world.b.address,
		c: () => world.c.address,
	};
	// shows generation-7 8.3: 2; 3; 5; 6
	it.each<Case>([
		['to keep its own attribute', () => identityOf(''), undefined],
		['to keep an identity attribute of the sender', () => identityOf(a()), invalid],
		['to keep an identity attribute of another peer', () => identityOf(c()), invalid],
		['to keep a relationship attribute', () => relationshipOf(a()), undefined],
		['to keep a relationship attribute of others', () => relationshipOf(c()), invalid],
		['to keep what exists under this key', () => relationshipOf(a(), 'own'), invalid],
	])('%s', async (_what, attribute, code) => {
		expect(await codeOf(item('CreateAttribute', { attribute: attribute() }))).toBe(code);
	});

	// shows generation-7 8.4: paragraph 1
	it.each<Case>([
		['an identity attribute', () => reading(asked()), undefined],
		['with a third party that is the sender', () => reading(askedOfThird('k', a())), invalid],
		['with a third party that is the peer', () => reading(askedOfThird('k', b())), invalid],
		['with another third party', () => reading(askedOfThird('k', c())), undefined],
		['a relationship attribute', () => reading(askedOfRelationship('')), undefined],
		['an attribute of another owner', () => reading(askedOfRelationship(b())), invalid],
		['an attribute that exists', () => reading(askedOfRelationship(a(), 'own')), invalid],
	])('for %s', async (_what, asking, code) => expect(await codeOf(asking())).toBe(code));

	// shows generation-7 8.5: paragraph 1
	it.each<Case>([
		['what it asks for', () => proposing(asked(), identityOf('')), undefined],
		['an attribute with an owner', () => proposing(asked(), identityOf(b())), invalid],
		['another type', () => proposing(asked('Surname'), identityOf('')), mismatch],
		[
			'one for a relationship of another owner',
			() => proposing(askedOfRelationship(a()), relationshipOf('')),
			invalid,
		],
		[
			'what exists under this key',
			() => proposing(askedOfRelationship('', 'theirs'), relationshipOf('', 'theirs')),
			invalid,
		],
	])('with a proposal of %s', async (_what, asking, code) =>
		expect(await codeOf(asking())).toBe(code),
	);

	// shows connector-7 8: Share, creating; generation-7 8.6: 2; 3; 4; 5; 6; 7; 8; 10; 12; 14
	it.each<PeerCase>([
		['an attribute that it lacks', () => sharing('unshared'), undefined, 'b'],
		['an attribute of a peer', () => sharing('ofPeer'), invalid, 'c'],
		['other content', () => sharing('unshared', { attribute: identityOf(a()) }), invalid, 'b'],
		['an attribute that it has', () => sharing('shared'), invalid, 'b'],
		['a version before its own', () => sharing('outdated'), invalid, 'b'],
		['a version after its own', () => sharing('later'), invalid, 'b'],
		[
			'an identity attribute with a third party',
			() => sharing('unshared', { initialAttributePeer: b() }),
			invalid,
			'b',
		],
		[
			'an attribute of this relationship',
			() => sharing('own', { initialAttributePeer: b() }),
			invalid,
			'b',
		],
		['an attribute without its third party', () => sharing('own'), invalid, 'c'],
		[
			'an attribute of another relationship',
			() => sharing('theirs', { initialAttributePeer: b() }),
			undefined,
			'c',
		],
		['a private one', () => sharing('secret', { initialAttributePeer: b() }), invalid, 'c'],
	])('to take %s', async (_what, asking, code, peer) =>
		expect(await codeOf(asking(), peer)).toBe(code),
	);

	// shows connector-7 8: Delete; generation-7 8.7: unknown; no recipient (templates);
	// PeerIdentity, ThirdParty; OwnIdentity not firmly shared; PeerRelationship, recipient is its
	// peer; PeerRelationship, not firmly shared
	it.each<PeerCase>([
		['what it has', () => deleting(one('shared').id), undefined, 'b'],
		['what it has of the relationship', () => deleting(one('own').id), undefined, 'b'],
		['what is unknown', () => deleting('ATT00000000000000000'), invalid, 'b'],
		['what it has shared', () => deleting(one('ofPeer').id), invalid, 'b'],
		['what it does not have', () => deleting(one('unshared').id), invalid, 'b'],
		['what another peer has', () => deleting(one('own').id), invalid, 'c'],
		['its own', () => deleting(one('theirs').id), invalid, 'b'],
		['what another peer owns', () => deleting(one('theirs').id), invalid, 'c'],
		['in a template', () => deleting(one('shared').id), invalid, 'none'],
	])('to delete %s', async (_what, asking, code, peer) =>
		expect(await codeOf(asking(), peer)).toBe(code),
	);
});

/** Brings a query of `c` to `a`; the answer is the id of the request. */
async function receive(query: object): Promise<string> {
	const { a, c } = world;
	const { result } = await c.ask('POST /Requests/Outgoing', {
		json: { content: { items: [reading(query)] }, peer: a.address },
	});
	const { content } = result;
	await c.ask('POST /Messages', { json: { recipients: [a.address], content } });
	await settle(a.http.gateway);
	return content.id;
}

describe('an answer to a query', () => {
	const existing = (name: string, more: object = {}) => ({
		existingAttributeId: one(name).id,
		...more,
	});
	const third = (key: string) => askedOfThird(key, world.b.address);
	const malformed = 'error.consumption.requests.servalErrorDuringRequestItemProcessing';

	// shows connector-7 8: Read with a relationship attribute; generation-7 8.4: 1; 2; 3; 4; 5; 6;
	// 8; 9; 11; 13
	it.each<[string, () => object, () => object, string | undefined]>([
		['that exists', asked, () => existing('unshared'), undefined],
		[
			'that exists and is new',
			asked,
			() => existing('unshared', { newAttribute: identityOf('') }),
			malformed,
		],
		['that is missing', asked, () => ({}), malformed],
		[
			'for this relationship that exists',
			() => askedOfRelationship(''),
			() => existing('own'),
			unfit,
		],
		[
			'that is unknown',
			asked,
			() => ({ existingAttributeId: 'ATT00000000000000000' }),
			'error.transport.recordNotFound',
		],
		['of another peer', asked, () => existing('ofPeer'), unfit],
		['in a version before the version of the peer', asked, () => existing('outdated'), mismatch],
		['with a third party', () => third('own'), () => existing('own'), undefined],
		[
			'with a third party that is not involved',
			() => askedOfThird('own', world.b.address.replace(/.{4}$/, '0000')),
			() => existing('own'),
			mismatch,
		],
		[
			'with a third party and tags',
			() => third('own'),
			() => existing('own', { tags: ['x:a'] }),
			unfit,
		],
		[
			'with a third party that is new',
			() => third('own'),
			() => ({ newAttribute: relationshipOf('', 'own') }),
			unfit,
		],
		['of another type', () => asked('Surname'), () => existing('unshared'), mismatch],
		[
			'with a third party that is private',
			() => third('secret'),
			() => existing('secret'),
			mismatch,
		],
	])('%s', async (_what, query, answer, code) => {
		const id = await receive(query());
		const { status, result } = await world.a.ask(`PUT /Requests/Incoming/${id}/CanAccept`, {
			json: { items: [{ accept: true, ...answer() }] },
		});
		expect([status, result.items[0].code]).toEqual([200, code]);
	});

	// shows connector-7 8: Create, Read, Propose with an identity; generation-7 8.4: paragraph 2;
	// paragraph 3; generation-7 8.8: 4; 5; 6; 7; generation-7 9: one id; versions
	it('names the own attribute, then its next version, then that the peer has it', async () => {
		const { a, c } = world;
		const own = await create(a, text('Surname', 'First'));
		const answers = async (existingAttributeId: string): Promise<Answered> => {
			const id = await receive(asked('Surname'));
			const { result } = await a.ask(`PUT /Requests/Incoming/${id}/Accept`, {
				json: { items: [{ accept: true, existingAttributeId }] },
			});
			await settle(c.http.gateway);
			expect((await c.ask(`GET /Requests/Outgoing/${id}`)).result.status).toBe('Completed');
			const details = await a.ask(`GET /Attributes/${existingAttributeId}/ForwardingDetails`);
			expect(details.result).toMatchObject([{ peer: c.address }]);
			return result.response.content.items[0];
		};
		expect(await answers(own.id)).toMatchObject({
			'@type': 'ReadAttributeAcceptResponseItem',
			attributeId: own.id,
		});
		const { result } = await a.ask(`POST /Attributes/${own.id}/Succeed`, {
			json: { successorContent: { value: text('Surname', 'Second') } },
		});
		const next = result.successor.id;
		expect(await answers(next)).toMatchObject({
			'@type': 'AttributeSuccessionAcceptResponseItem',
			...{ predecessorId: own.id, successorId: next },
		});
		expect(await answers(next)).toMatchObject({
			'@type': 'AttributeAlreadySharedAcceptResponseItem',
			attributeId: next,
		});
		const list = await c.ask('GET /Attributes?@type=PeerIdentityAttribute');
		const theirs = list.result.filter((one: Answered) => one.content.value['@type'] === 'Surname');
		expect(theirs).toMatchObject([
			{ id: own.id, succeededBy: next },
			{ id: next, succeeds: own.id },
		]);
	});
});

// shows connector-7 8: paragraph 1; generation-7 10: PeerAttributeSucceeded;
// OwnAttributeDeletedByOwner; ForwardedAttributeDeletedByPeer;
// PeerRelationshipAttributeDeletedByPeer
it.each([
	['PeerAttributeSucceeded', 'Error'],
	['OwnAttributeDeletedByOwner', 'Completed'],
	['ForwardedAttributeDeletedByPeer', 'Completed'],
	['PeerRelationshipAttributeDeletedByPeer', 'Completed'],
])('a notification of %s about an unknown attribute ends as %s', async (type, status) => {
	const { a, c } = world;
	const [predecessorId, successorId] = ['ATT00000000000000000', 'ATT00000000000000001'];
	const about =
		type === 'PeerAttributeSucceeded'
			? { predecessorId, successorId, successorContent: identityOf(c.address) }
			: { attributeId: predecessorId };
	const id = `NOT${type.slice(0, 17)}`;
	const items = [{ '@type': `${type}NotificationItem`, ...about }];
	const content = { '@type': 'Notification', id, items };
	const sent = await c.ask('POST /Messages', { json: { recipients: [a.address], content } });
	expect([sent.error, sent.status]).toEqual([undefined, 201]);
	const before = (await a.ask('GET /Attributes')).result;
	await settle(a.http.gateway);
	expect(await a.http.gateway.localNotifications.get(id)).toMatchObject({ status });
	expect((await a.ask('GET /Attributes')).result).toEqual(before);
});
