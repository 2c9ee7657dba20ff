import { givenName, read, World, yes, type Answered } from './support/world';

jest.setTimeout(60_000);

/* docs/protocol/interface-summary.md 2.1: Attribute */
let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

it('interface 2.1: id | comes with the creation, and is what sharing needs', async () => {
	const own = await world.createAttribute({ '@type': 'DisplayName', value: 'To be shared' });
	expect(own.id).toMatch(/^ATT[A-Za-z0-9]{17}$/);
	const share = {
		'@type': 'ShareAttributeRequestItem',
		mustBeAccepted: true,
		attribute: own.content,
	};
	const shared = await world.validate({ ...share, sourceAttributeId: own.id });
	expect(shared.isSuccess).toBe(true);
	const unknown = { ...share, sourceAttributeId: 'ATT00000000000000000' };
	expect((await world.validate(unknown)).isSuccess).toBe(false);
	const { status } = await world.a.http.ask('POST /Requests/Outgoing/Validate', {
		json: { content: { items: [share] } },
	});
	expect(status).toBe(400);
});

it('interface 2.1: owner | is the own address, beside the content and in it', async () => {
	const { result: created } = await world.a.http.ask('POST /Attributes', {
		json: { content: { value: givenName('Created') } },
	});
	expect(created.owner).toBe(world.a.address);
	const own = await world.createAttribute(givenName('Owned'));
	expect(own.content.owner).toBe(world.a.address);
	const { result, status } = await world.a.http.ask(`GET /Attributes/${own.id}`);
	expect([status, result.owner, result.content.owner]).toEqual([
		200,
		world.a.address,
		world.a.address,
	]);
});

it('interface 2.1: content | holds the value that was given, and is required', async () => {
	const own = await world.createAttribute(givenName('Held'));
	expect(own.content.value).toEqual(givenName('Held'));
	for (const json of [{}, { content: {} }, { content: 'text' }]) {
		expect((await world.a.http.ask('POST /Attributes', { json })).status).toBe(400);
	}
});

it.each([
	[{ '@type': 'DisplayName', value: 'Text' }, 201],
	[{ '@type': 'DisplayName', value: 5 }, 400],
	[{ '@type': 'DisplayName' }, 400],
	[{ value: 'Text' }, 400],
	[{ '@type': 'Nonsense', value: 'Text' }, 400],
])(
	'interface 2.1: content.value | has a type and what fits it: %j gives %i',
	async (value, expected) => {
		const { status, result } = await world.a.http.ask('POST /Attributes', {
			json: { content: { value } },
		});
		expect(status).toBe(expected);
		if (expected === 201) expect(result.content.value).toEqual(value);
	},
);

it.each(['DisplayName', 'GivenName', 'Surname', 'EMailAddress'])(
	'interface 2.1: point 1 | can be asked for: %s',
	async (valueType) => {
		const value = { '@type': valueType, value: 'queried@example.org' };
		const own = await world.createAttribute(value);
		const query = { '@type': 'IdentityAttributeQuery', valueType };
		const found = await world.a.client.ask('attributes.executeIdentityAttributeQuery', { query });
		expect(found).toContainEqual(own);
		expect((await world.validate(read(valueType))).isSuccess).toBe(true);
		const { status } = await world.a.http.ask('POST /Requests/Outgoing/Validate', {
			json: { content: { items: [read('NoSuchType')] } },
		});
		expect(status).toBe(400);
	},
);

describe('interface 2.1, kinds of attributes', () => {
	it('interface 2.1: point 2 | a repository attribute is an own identity attribute, and shared copies are others', async () => {
		const own = await world.createAttribute({ '@type': 'City', value: 'Own' });
		const id = await world.sendRequest({
			'@type': 'ShareAttributeRequestItem',
			mustBeAccepted: true,
			attribute: own.content,
			sourceAttributeId: own.id,
		});
		await world.b.client.ask('incomingRequests.accept', id, { items: [yes] });
		await world.sync();
		const repository = await world.a.client.ask('attributes.getOwnRepositoryAttributes', {});
		expect(repository).toContainEqual(own);
		expect(own.content).toMatchObject({ '@type': 'IdentityAttribute', owner: world.a.address });
		expect(own).not.toHaveProperty('shareInfo');
		const copies = await world.a.client.ask('attributes.getOwnSharedIdentityAttributes', {
			peer: world.b.address,
		});
		expect(copies).toMatchObject([
			{ shareInfo: { peer: world.b.address, sourceAttribute: own.id } },
		]);
		expect(repository.map((one: Answered) => one.id)).not.toContain(copies[0].id);
	});

	it('interface 2.1: point 2 | a relationship attribute belongs to a relationship', async () => {
		const id = await world.sendRequest({
			'@type': 'CreateAttributeRequestItem',
			mustBeAccepted: true,
			attribute: {
				'@type': 'RelationshipAttribute',
				owner: world.b.address,
				key: 'customer',
				confidentiality: 'public',
				value: { '@type': 'ProprietaryString', title: 'Customer', value: '42' },
			},
		});
		await world.b.client.ask('incomingRequests.accept', id, { items: [yes] });
		await world.sync();
		const [kept] = await world.a.client.ask('attributes.getAttributes', {
			content: { '@type': 'RelationshipAttribute', key: 'customer' },
		});
		expect(kept).toMatchObject({
			content: { '@type': 'RelationshipAttribute', owner: world.b.address },
			shareInfo: { peer: world.b.address },
		});
	});
});
