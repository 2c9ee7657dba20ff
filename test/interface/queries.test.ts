import { settle } from '../support/gateways';
import { codesIn, World, yes, type Answered } from './support/world';

jest.setTimeout(60_000);

/* docs/protocol/interface-summary.md 2.2: the kinds of queries, and who may own what is asked for */
let world: World;
/** a relationship attribute of `b` with another identity, and one of that identity */
let ofRecipient: Answered;
let ofThirdParty: Answered;
let third: string;

const key = (name: string, owner: string) => ({
	'@type': 'RelationshipAttribute',
	owner,
	key: name,
	confidentiality: 'public',
	value: { '@type': 'ProprietaryString', title: 'Customer', value: name },
});

beforeAll(async () => {
	world = await World.open();
	const c = await world.stranger();
	third = c.address;
	const { b } = world;
	const template = await world.createTemplate(
		{ '@type': 'ArbitraryRelationshipTemplateContent', value: {} },
		{},
		c,
	);
	await b.client.ask('relationshipTemplates.loadPeerRelationshipTemplate', {
		reference: template.truncatedReference,
	});
	const created = await b.client.ask('relationships.createRelationship', {
		templateId: template.id,
		creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: {} },
	});
	await settle(c.http.gateway);
	await c.client.ask('relationships.acceptRelationship', created.id);
	await settle(b.http.gateway);
	const content = {
		items: [key('theirs', b.address), key('others', third)].map((attribute) => ({
			'@type': 'CreateAttributeRequestItem',
			mustBeAccepted: true,
			attribute,
		})),
	};
	const draft = await c.client.ask('outgoingRequests.createRequest', { content, peer: b.address });
	await c.client.ask('messages.sendMessage', { recipients: [b.address], content: draft.content });
	await settle(b.http.gateway);
	await b.client.ask('incomingRequests.accept', draft.id, { items: [yes, yes] });
	const own = await b.client.ask('attributes.getAttributes', { shareInfo: { peer: third } });
	ofRecipient = own.find((one: Answered) => one.content.owner === b.address);
	ofThirdParty = own.find((one: Answered) => one.content.owner === third);
});
afterAll(() => world.close());

const asking = (query: object) => ({
	'@type': 'ReadAttributeRequestItem',
	mustBeAccepted: false,
	query,
});
const status = async (query: object): Promise<number> =>
	(
		await world.a.http.ask('POST /Requests/Outgoing/Validate', {
			json: { content: { items: [asking(query)] }, peer: world.b.address },
		})
	).status;

it.each(['GivenName', 'Surname', 'EMailAddress'])(
	'interface 2.2: Query kinds.IdentityAttributeQuery | asks for a type of value: %s',
	async (valueType) => {
		const query = { '@type': 'IdentityAttributeQuery', valueType };
		expect((await world.validate(asking(query))).isSuccess).toBe(true);
		expect(await status({ '@type': 'IdentityAttributeQuery' })).toBe(400);
		expect(await status({ ...query, valueType: 5 })).toBe(400);
	},
);

it('interface 2.2: Query kinds.RelationshipAttributeQuery | asks for an attribute of the relationship', async () => {
	const query = {
		'@type': 'RelationshipAttributeQuery',
		key: 'number',
		owner: '',
		attributeCreationHints: {
			title: 'Number',
			valueType: 'ProprietaryString',
			confidentiality: 'public',
		},
	};
	expect((await world.validate(asking(query))).isSuccess).toBe(true);
	const id = await world.sendRequest(asking(query));
	const newAttribute = {
		...key('number', world.b.address),
		value: { '@type': 'ProprietaryString', title: 'Number', value: '42' },
	};
	const items = [{ accept: true, newAttribute }];
	await world.b.client.ask('incomingRequests.accept', id, { items });
	await world.sync();
	const [received] = await world.a.client.ask('attributes.getAttributes', {
		content: { key: 'number' },
	});
	expect(received.content).toMatchObject({ owner: world.b.address, key: 'number' });
	expect(await status({ '@type': 'RelationshipAttributeQuery', owner: '' })).toBe(400);
});

describe('a ThirdPartyRelationshipAttributeQuery', () => {
	const query = (owner: unknown, name = 'theirs', ...others: unknown[]) => ({
		'@type': 'ThirdPartyRelationshipAttributeQuery',
		key: name,
		owner,
		thirdParty: others.length === 0 ? [third] : others[0],
	});
	const answered = async (owner: string, attribute: Answered): Promise<Answered> => {
		const id = await world.sendRequest(asking(query(owner, attribute.content.key)));
		const items = [{ accept: true, existingAttributeId: attribute.id }];
		return await world.b.client.ask('incomingRequests.canAccept', id, { items });
	};
	const mismatch = 'error.consumption.requests.attributeQueryMismatch';

	it('interface 2.2: Query kinds.ThirdPartyRelationshipAttributeQuery; interface 9: Version 4 to 5 changes.7 | has an owner of three words and addresses', async () => {
		for (const owner of ['', 'recipient', 'thirdParty']) {
			expect((await world.validate(asking(query(owner)))).isSuccess).toBe(true);
		}
		expect(await status(query('sender'))).toBe(400);
		expect(await status(query(world.b.address))).toBe(400);
		expect(await status(query('', 'theirs', undefined))).toBe(400);
		expect(await status(query('', 'theirs', []))).toBe(400);
	});

	it('interface 2.2: The owner of a ThirdPartyRelationshipAttributeQuery.recipient | is the recipient of the request', async () => {
		expect(await answered('recipient', ofRecipient)).toMatchObject({ isSuccess: true });
		expect(codesIn(await answered('recipient', ofThirdParty))).toContain(mismatch);
	});

	it('interface 2.2: The owner of a ThirdPartyRelationshipAttributeQuery.thirdParty | is one of the addresses', async () => {
		expect(await answered('thirdParty', ofThirdParty)).toMatchObject({ isSuccess: true });
		expect(codesIn(await answered('thirdParty', ofRecipient))).toContain(mismatch);
	});

	it('interface 2.2: The owner of a ThirdPartyRelationshipAttributeQuery.empty string | is either of them', async () => {
		expect(await answered('', ofRecipient)).toMatchObject({ isSuccess: true });
		expect(await answered('', ofThirdParty)).toMatchObject({ isSuccess: true });
	});
});
