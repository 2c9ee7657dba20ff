import { inOneHour, relate, settle } from '../../../support/gateways';
import { openCarelessPeer } from '../../../support/peer/careless-peer';
import { until } from '../../../support/until';
import { StreamClient } from '../support/stream-client';
import { create, text, ThreeGateways, type Answered, type Side } from './three-gateways';

jest.setTimeout(120_000);

/*
 * What may be accepted of other wallets, and with what (docs/protocol/generation-7.md 6, 8.3 to
 * 8.8).
 */
let world: ThreeGateways;
/** Address of an identity that sends whatever it is told. */
let careless: string;
let carelessConfig: ReturnType<ThreeGateways['network']['config']>;
let number = 0;

beforeAll(async () => {
	world = await ThreeGateways.open();
	carelessConfig = world.network.config();
	const gateway = await world.network.gateway(carelessConfig);
	({ addressB: careless } = await relate(world.a.http.gateway, gateway));
	await gateway.close();
	// Its wallet is known to have version 7 from now on.
	const attribute = identityOf(careless);
	await receiveCarelessly(item('ShareAttribute', { attribute, attributeId: idOf('ATT') }));
});
afterAll(() => world.close());

const item = (type: string, more: object = {}) => ({
	'@type': `${type}RequestItem`,
	mustBeAccepted: true,
	...more,
});
const identityOf = (owner: string, more: object = {}) => ({
	'@type': 'IdentityAttribute',
	owner,
	value: text('GivenName', `Name ${number++}`),
	...more,
});
const relationshipOf = (owner: string, key: string) => ({
	'@type': 'RelationshipAttribute',
	...{ owner, key, confidentiality: 'public' },
	value: { '@type': 'ProprietaryString', title: 'Customer', value: 'x' },
});
const query = (valueType: string) => ({ '@type': 'IdentityAttributeQuery', valueType });
const relationshipQuery = (key: string, owner = '') => ({
	'@type': 'RelationshipAttributeQuery',
	...{ owner, key },
	attributeCreationHints: {
		'@type': 'RelationshipAttributeCreationHints',
		...{ title: 'Customer', valueType: 'ProprietaryString', confidentiality: 'public' },
	},
});

async function sendCarelessly(content: object): Promise<void> {
	const peer = await openCarelessPeer(carelessConfig);
	await peer.send(world.a.address, JSON.parse(JSON.stringify(content)));
	await peer.close();
	await settle(world.a.http.gateway);
}

const idOf = (prefix: string): string => `${prefix}${String(number++).padStart(17, '0')}`;

/** Brings a request of the careless identity; the answer is its id. */
async function receiveCarelessly(...items: object[]): Promise<string> {
	const id = idOf('REQ');
	await sendCarelessly({ '@type': 'Request', id, items });
	return id;
}

/** Sends items to the careless identity, which accepts them with these answers. */
async function askCarelessly(items: object[], answers: object[]): Promise<string> {
	const { ask } = world.a;
	const asked = await ask('POST /Requests/Outgoing', {
		json: { content: { items }, peer: careless },
	});
	expect(asked.error).toBeUndefined();
	const { content } = asked.result;
	const message = await ask('POST /Messages', { json: { recipients: [careless], content } });
	const requestId = content.id;
	await sendCarelessly({
		'@type': 'ResponseWrapper',
		...{ requestId, requestSourceReference: message.result.id, requestSourceType: 'Message' },
		response: {
			'@type': 'Response',
			...{ result: 'Accepted', requestId },
			items: answers.map((answer) => ({ result: 'Accepted', ...answer })),
		},
	});
	return requestId;
}

/** Brings a request of another gateway; the answer is its id. */
async function receive(from: Side, ...items: object[]): Promise<string> {
	const { a } = world;
	const json = { content: { items }, peer: a.address };
	const { result, error } = await from.ask('POST /Requests/Outgoing', { json });
	expect(error).toBeUndefined();
	const { content } = result;
	await from.ask('POST /Messages', { json: { recipients: [a.address], content } });
	await settle(a.http.gateway);
	return content.id;
}

const decide = (id: string, how: 'CanAccept' | 'Accept', more: object = {}): Promise<Answered> =>
	world.a.ask(`PUT /Requests/Incoming/${id}/${how}`, {
		json: { items: [{ accept: true, ...more }] },
	});
const problemOf = async (id: string, more: object = {}): Promise<Answered> =>
	(await decide(id, 'CanAccept', more)).result.items[0].code;

const consumption = (name: string): string => `error.consumption.requests.${name}`;
const invalid = consumption('invalidRequestItem');
const unfit = consumption('invalidAcceptParameters');
const unexpected = consumption('unexpectedErrorDuringRequestItemProcessing');

describe('a received attribute', () => {
	const kept = (attribute: object) => item('CreateAttribute', { attribute });
	const shared = (attribute: object, more: object = {}) =>
		item('ShareAttribute', { attribute, attributeId: idOf('ATT'), ...more });
	const third = { initialAttributePeer: 'did:e:sandbox.example:dids:00000000000000000000aa' };

	// shows generation-7 6: CreateAttributeRequestItem; generation-7 8.3: paragraph 1; generation-7
	// 8.6: paragraph 2
	it.each<[string, () => object, string | undefined]>([
		['to keep', () => kept(identityOf('')), undefined],
		['to keep with good tags', () => kept(identityOf('', { tags: ['x:a', 'bkb:a'] })), undefined],
		['to keep with other tags', () => kept(identityOf('', { tags: ['x:a', 'other'] })), invalid],
		[
			'to keep with other characters',
			() => kept(identityOf('', { value: text('GivenName', 'Ada \u{1F600}') })),
			unexpected,
		],
		['to take', () => shared(identityOf(careless)), undefined],
		['to take with other tags', () => shared(identityOf(careless, { tags: ['other'] })), invalid],
		['to take with a third party', () => shared(identityOf(careless), third), invalid],
		[
			'to take from another relationship',
			() => shared(relationshipOf(careless, 'of-third'), third),
			undefined,
		],
		['to take from this relationship', () => shared(relationshipOf(careless, 'of-us')), invalid],
	])('%s', async (_what, asking, code) => {
		expect(await problemOf(await receiveCarelessly(asking()))).toBe(code);
	});

	// shows generation-7 6: a succession arrives by notification or
	it('keeps the tags of its next version, whatever they are', async () => {
		const { a } = world;
		const predecessorId = idOf('ATT');
		const attribute = identityOf(careless);
		const id = await receiveCarelessly(
			item('ShareAttribute', { attribute, attributeId: predecessorId }),
		);
		await decide(id, 'Accept');
		const successorId = idOf('ATT');
		const successorContent = { ...identityOf(careless), tags: ['other'] };
		await sendCarelessly({
			'@type': 'Notification',
			id: idOf('NOT'),
			items: [
				{
					'@type': 'PeerAttributeSucceededNotificationItem',
					...{ predecessorId, successorId, successorContent },
				},
			],
		});
		const { result } = await a.ask(`GET /Attributes/${successorId}`);
		expect(result).toMatchObject({ succeeds: predecessorId, content: { tags: ['other'] } });
	});

	// shows generation-7 8.3: paragraph 1; generation-7 8.4: 12; generation-7 8.5: paragraph 2
	it('of the relationship is refused where its key exists', async () => {
		const { b } = world;
		const proposing = (key: string) => ({
			query: relationshipQuery(key),
			attribute: relationshipOf('', key),
		});
		const items: ReadonlyArray<[object, object]> = [
			[item('CreateAttribute', { attribute: relationshipOf(world.a.address, 'twice') }), {}],
			[
				item('ReadAttribute', { query: relationshipQuery('twice') }),
				{ newAttribute: relationshipOf('', 'twice') },
			],
			[item('ProposeAttribute', proposing('twice')), { attribute: relationshipOf('', 'twice') }],
		];
		const waiting: Array<[string, object]> = [];
		for (const [asking, answer] of items) {
			waiting.push([await receive(b, asking), answer]);
			waiting.push([await receive(b, { ...asking, mustBeAccepted: false }), answer]);
		}
		for (const [id, answer] of waiting) expect(await problemOf(id, answer)).toBeUndefined();
		const [first] = waiting;
		await decide(first?.[0] ?? '', 'Accept');
		const problems = [];
		for (const [id, answer] of waiting.slice(1)) problems.push(await problemOf(id, answer));
		expect(problems).toEqual([unfit, unexpected, unfit, unexpected, unfit]);
	});
});

describe('an answer', () => {
	// shows connector-7 8: Propose with existing; generation-7 8.5: paragraph 2
	it('to a proposal is an own identity attribute, or a new attribute that fits', async () => {
		const { a, b } = world;
		await world.share(b, a, await create(b, text('Surname', 'Theirs')));
		const [ofPeer] = (
			await a.ask('GET /Attributes?@type=PeerIdentityAttribute&content.value.@type=Surname')
		).result;
		const own = await create(a, text('Surname', 'Own'));
		const ofRelationship = await world.relationshipAttribute(a, 'proposed');
		const attribute = identityOf('', { value: text('Surname', 'Proposed') });
		const id = await receiveCarelessly(
			item('ProposeAttribute', { query: query('Surname'), attribute }),
		);
		const malformed = consumption('servalErrorDuringRequestItemProcessing');
		const codes = [];
		for (const answer of [
			{ attributeId: own.id },
			{ attribute },
			{},
			{ attributeId: own.id, attribute },
			{ attributeId: 'ATT00000000000000000' },
			{ attributeId: ofPeer.id },
			{ attributeId: ofRelationship.id },
			{ attribute: identityOf('') },
			{ attribute: { ...attribute, tags: ['other'] } },
		]) {
			codes.push(await problemOf(id, answer));
		}
		const mismatch = consumption('attributeQueryMismatch');
		expect(codes).toEqual([
			...[undefined, undefined, malformed, malformed, 'error.transport.recordNotFound'],
			...[unfit, unfit, mismatch, 'error.gateway.requests.notUnderstoodByPeer'],
		]);
	});

	// shows generation-7 8.8: 2; 3
	it('with more tags is a next version of what is there', async () => {
		const { a, c } = world;
		const { id } = await create(a, text('JobTitle', 'Clerk'), { tags: ['x:one'] });
		const answerWith = async (answer: object): Promise<string> => {
			const requestId = await receive(c, item('ReadAttribute', { query: query('JobTitle') }));
			const { result, error } = await decide(requestId, 'Accept', answer);
			expect(error).toBeUndefined();
			const [given] = result.response.content.items;
			return given.successorId ?? given.attributeId;
		};
		const newAttribute = identityOf('', { value: text('JobTitle', ' Clerk'), tags: ['x:two'] });
		const second = await answerWith({ newAttribute });
		const third = await answerWith({ existingAttributeId: second, tags: ['x:three'] });
		const { result } = await a.ask(`GET /Attributes/${id}/Versions`);
		expect(result.map((one: Answered) => [one.id, one.content.tags])).toEqual([
			[third, ['x:one', 'x:two', 'x:three']],
			[second, ['x:one', 'x:two']],
			[id, ['x:one']],
		]);
		const events = await a.http.gateway.events.recent({}, 1_000);
		const successions = events.filter(
			({ event }) => event === 'consumption.repositoryAttributeSucceeded',
		);
		expect(successions).toHaveLength(2);
	});

	// shows generation-7 8.4: paragraph 4
	it('belongs to whom the query names, else the request stays open', async () => {
		const { a, b, c } = world;
		const id = await receive(c, item('ReadAttribute', { query: query('Surname') }));
		const foreign = identityOf(b.address, { value: text('Surname', 'Foreign') });
		expect(await problemOf(id, { newAttribute: foreign })).toBe(
			consumption('attributeQueryMismatch'),
		);

		const requestId = await askCarelessly(
			[item('ReadAttribute', { query: query('Surname') })],
			[
				{
					'@type': 'ReadAttributeAcceptResponseItem',
					...{ attributeId: idOf('ATT'), attribute: foreign },
				},
			],
		);
		expect((await a.ask(`GET /Requests/Outgoing/${requestId}`)).result.status).toBe('Open');
		expect((await a.ask(`GET /Attributes?content.owner=${b.address}`)).result).not.toContainEqual(
			expect.objectContaining({ peer: careless }),
		);
	});

	// shows generation-7 8.4: 7
	it('does not come from a relationship that is pending', async () => {
		const { network, a, b } = world;
		const keeping = item('CreateAttribute', { attribute: relationshipOf('', 'pending') });
		const template = await b.http.gateway.templates.create({
			expiresAt: inOneHour(),
			content: JSON.parse(
				JSON.stringify({
					'@type': 'RelationshipTemplateContent',
					onNewRelationship: { items: [keeping] },
				}),
			),
		});
		const d = await ThreeGateways.side(network);
		await relate(d.http.gateway, a.http.gateway);
		await d.http.gateway.templates.loadPeer({ reference: template.truncatedReference });
		const [offered] = await d.http.gateway.incomingRequests.list();
		await d.http.gateway.incomingRequests.accept(offered?.id ?? '', { items: [{ accept: true }] });
		const [attribute] = (await d.ask('GET /Attributes?content.key=pending')).result;
		const asked = await a.ask('POST /Requests/Outgoing', {
			json: {
				content: {
					items: [
						item('ReadAttribute', {
							query: {
								'@type': 'ThirdPartyRelationshipAttributeQuery',
								...{ key: 'pending', owner: '', thirdParty: [b.address] },
							},
						}),
					],
				},
				peer: d.address,
			},
		});
		const { content } = asked.result;
		await a.ask('POST /Messages', { json: { recipients: [d.address], content } });
		await settle(d.http.gateway);
		const { result } = await d.ask(`PUT /Requests/Incoming/${content.id}/CanAccept`, {
			json: { items: [{ accept: true, existingAttributeId: attribute.id }] },
		});
		expect(result.items[0].code).toBe(
			consumption('cannotShareRelationshipAttributeOfPendingRelationship'),
		);
		await d.http.close();
	});
});

// shows generation-7 8.6: 9
it('an attribute with tags that the peer refuses is not offered to it', async () => {
	const { a } = world;
	const { id, content: attribute } = await a.http.gateway.attributes.create({
		content: { value: { '@type': 'GivenName', value: 'Tagged' }, tags: ['other'] },
	});
	const items = [item('ShareAttribute', { attribute, attributeId: id })];
	const json = { content: { items }, peer: careless };
	const { result } = await a.ask('POST /Requests/Outgoing/Validate', { json });
	expect(result.items[0].code).toBe('error.gateway.requests.notUnderstoodByPeer');
});

// shows generation-7 6: TransferFileOwnershipRequestItem: tags; generation-7 8.7: paragraph 1
it('a file with tags of another format is neither handed over nor taken', async () => {
	const { network, a } = world;
	const uploaded = async ({ files }: Pick<Side['http']['gateway'], 'files'>, ...tags: string[]) => {
		const input = { filename: 'f.txt', mimetype: 'text/plain', title: 'f', tags };
		const { reference, ownershipToken } = await files.upload(input, Buffer.from('content'));
		const file = { fileReference: reference.truncated, ownershipToken };
		return item('TransferFileOwnership', file);
	};
	const send = async (asking: object): Promise<Answered> => {
		const json = { content: { items: [asking] }, peer: careless };
		return (await a.ask('POST /Requests/Outgoing/Validate', { json })).result.items[0].code;
	};
	expect(await send(await uploaded(a.http.gateway, 'x:a'))).toBeUndefined();
	expect(await send(await uploaded(a.http.gateway, 'other'))).toBe(invalid);

	const sender = await network.gateway(carelessConfig);
	const [good, bad] = [await uploaded(sender, 'x:a'), await uploaded(sender, 'other')];
	await sender.close();
	expect(await problemOf(await receiveCarelessly(good))).toBeUndefined();
	expect(await problemOf(await receiveCarelessly(bad))).toBe(invalid);
	const lost = { ...good, ownershipToken: 'bad' };
	expect(await problemOf(await receiveCarelessly(lost))).toBe(invalid);
});

// shows connector-7 9: forwardedAttributeDeletedByPeer; peerRelationshipAttributeDeletedByPeer
it('a deletion in the words of version 6 is told by what was deleted', async () => {
	const { a } = world;
	const own = await create(a, text('DisplayName', 'Ada'));
	const ofRelationship = idOf('ATT');
	await askCarelessly(
		[
			item('ShareAttribute', { attribute: own.content, attributeId: own.id }),
			item('CreateAttribute', { attribute: relationshipOf(a.address, 'deleted-there') }),
		],
		[
			{ '@type': 'AcceptResponseItem' },
			{ '@type': 'CreateAttributeAcceptResponseItem', attributeId: ofRelationship },
		],
	);
	const stream = await StreamClient.open(a.http);
	const deleted = [own.id, ofRelationship];
	await sendCarelessly({
		'@type': 'Notification',
		id: idOf('NOT'),
		items: deleted.map((attributeId) => ({
			'@type': 'PeerSharedAttributeDeletedByPeerNotificationItem',
			attributeId,
		})),
	});
	const told = () =>
		stream.events
			.map(({ data }) => JSON.parse(data))
			.filter(({ event }) => event.endsWith('DeletedByPeer'))
			.map(({ event, data }) => [event, data.id]);
	await until(() => told().length >= 2);
	expect(told()).toEqual([
		['consumption.forwardedAttributeDeletedByPeer', own.id],
		['consumption.peerRelationshipAttributeDeletedByPeer', ofRelationship],
	]);
	await stream.close();
});
