import { openConsumption, people, type Consumption } from '../request/consumption-fixtures';

let consumption: Consumption;
beforeEach(async () => {
	consumption = await openConsumption();
});
afterEach(() => consumption.dispose());

const upsert = (type: string, value: unknown, more: object = {}) =>
	consumption.attributes.upsert({ content: { value: { '@type': type, value }, ...more } });

const ownValues = async (type: string): Promise<unknown[]> => {
	const query = { 'content.value.@type': type };
	const found = await consumption.attributes.lists.repository({ query });
	return found.map(({ content }) => content['value']);
};

describe('creating or updating an attribute', () => {
	it('creates it where the account has none of the type', async () => {
		const { outcome, attribute } = await upsert('GivenName', ' Ada ', { tags: ['x:work'] });
		expect(outcome).toBe('created');
		expect(attribute.content).toMatchObject({ value: { value: 'Ada' }, tags: ['x:work'] });
		expect((await consumption.events()).map(({ name }) => name)).toEqual([
			'consumption.attributeCreated',
		]);
	});

	it('gives it another value, and keeps its tags unless others are given', async () => {
		const first = await upsert('GivenName', 'Ada', { tags: ['x:work'] });
		const second = await upsert('GivenName', 'Eve');
		expect(second).toMatchObject({
			outcome: 'succeeded',
			attribute: { succeeds: first.attribute.id, content: { tags: ['x:work'] } },
			predecessor: { id: first.attribute.id, succeededBy: second.attribute.id },
		});
		const third = await upsert('GivenName', 'Mia', { tags: [] });
		expect(third.attribute.content).toMatchObject({ tags: [] });
		expect(await ownValues('GivenName')).toEqual([{ '@type': 'GivenName', value: 'Mia' }]);
	});

	it.each(['Ada', ' Ada\t'])('leaves it as it is with the same value %j', async (value) => {
		const { attribute } = await upsert('GivenName', 'Ada');
		const before = await consumption.events();
		expect(await upsert('GivenName', value)).toEqual({ outcome: 'unchanged', attribute });
		expect(await consumption.events()).toEqual(before);
	});

	it('succeeds the newest of several, and makes no second one of a value', async () => {
		const { attributes } = consumption;
		const create = (value: string) =>
			attributes.create({ content: { value: { '@type': 'PhoneNumber', value } } });
		const home = await create('0621 1');
		const work = await create('0621 2');
		expect(await upsert('PhoneNumber', '0621 3')).toMatchObject({ predecessor: { id: work.id } });
		expect(await upsert('PhoneNumber', '0621 1')).toEqual({
			outcome: 'unchanged',
			attribute: home,
		});
	});

	it('creates it again once it was deleted', async () => {
		const { attribute } = await upsert('GivenName', 'Ada');
		await consumption.attributes.delete(attribute.id);
		expect((await upsert('GivenName', 'Eve')).outcome).toBe('created');
	});

	it('leaves parts of another attribute and attributes of peers alone', async () => {
		const { attributes, store } = consumption;
		const parts = { recipient: 'Ada', street: 'Weg', houseNo: '1', zipCode: '69115' };
		const value = { '@type': 'StreetAddress', ...parts, city: 'Ulm', country: 'DE' };
		await attributes.create({ content: { value } });
		await store.transact((tx) =>
			tx.attributes.insert(
				{
					id: 'ATT00000000000000001',
					createdAt: '2030-01-01T00:00:00.000Z',
					content: {
						'@type': 'IdentityAttribute',
						owner: people.B,
						value: { '@type': 'City', value: 'Bonn' },
					},
					shareInfo: { peer: people.B, requestReference: 'REQ00000000000000001' },
				},
				undefined,
			),
		);
		expect((await upsert('City', 'Köln')).outcome).toBe('created');
	});

	it('makes one attribute when two calls at once have different values', async () => {
		await Promise.all([upsert('GivenName', 'Ada'), upsert('GivenName', 'Eve')]);
		expect(await ownValues('GivenName')).toHaveLength(1);
	});

	it.each([
		['an unknown type', 'Shoe', 'large'],
		['a value of another form', 'EMailAddress', 'nowhere'],
		['a value that is not text', 'GivenName', 5],
	])('refuses %s with a code, and stores nothing', async (_what, type, value) => {
		await expect(upsert(type, value)).rejects.toMatchObject({
			code: expect.stringMatching(/^error\.runtime\./) as string,
		});
		expect(await consumption.events()).toEqual([]);
	});
});
