import {
	codesIn,
	consent,
	give,
	givenName,
	no,
	read,
	World,
	yes,
	type Answered,
} from './support/world';

jest.setTimeout(60_000);

/* docs/protocol/interface-summary.md 2.2: Request, its groups and its items */
let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

const group = (...items: object[]) => ({ '@type': 'RequestItemGroup', items });
const refused = async (content: unknown): Promise<Answered> =>
	await world.a.http.ask('POST /Requests/Outgoing', { json: { content, peer: world.b.address } });

it('interface 2.2: content.items | holds items and groups of items, and is required', async () => {
	expect((await world.validate(consent(), group(consent(), consent()))).isSuccess).toBe(true);
	for (const content of [{}, { items: 'text' }, { items: [] }, { items: [5] }]) {
		expect((await refused(content)).status).toBe(400);
	}
});

describe('a RequestItemGroup', () => {
	it('interface 2.2: RequestItemGroup.@type | tells a group from an item', async () => {
		expect((await world.validate(group(consent()))).isSuccess).toBe(true);
		const { status } = await refused({ items: [{ ...group(consent()), '@type': 'Group' }] });
		expect(status).toBe(400);
		expect((await refused({ items: [{ items: [consent()] }] })).status).toBe(400);
	});

	it('interface 2.2: RequestItemGroup.title | arrives, and changes nothing else', async () => {
		const id = await world.sendRequest({ ...group(consent(false)), title: 'About you' });
		const request = await world.b.client.ask('incomingRequests.getRequest', id);
		expect(request.content.items[0].title).toBe('About you');
		const decision = { items: [{ items: [no] }] };
		expect((await world.b.client.ask('incomingRequests.canAccept', id, decision)).isSuccess).toBe(
			true,
		);
		expect((await refused({ items: [{ ...group(consent()), title: 5 }] })).status).toBe(400);
	});

	it('interface 2.2: RequestItemGroup.items | are accepted and rejected as if there were no group', async () => {
		const id = await world.sendRequest(group(consent(true), consent(false)));
		const can = async (...items: object[]): Promise<boolean> =>
			(await world.b.client.ask('incomingRequests.canAccept', id, { items: [{ items }] }))
				.isSuccess;
		expect(await can(yes, no)).toBe(true);
		expect(await can(yes, yes)).toBe(true);
		expect(await can(no, yes)).toBe(false);
		await world.b.client.ask('incomingRequests.accept', id, { items: [{ items: [yes, no] }] });
		const { response } = await world.b.client.ask('incomingRequests.getRequest', id);
		expect(response.content.items).toMatchObject([
			{ items: [{ result: 'Accepted' }, { result: 'Rejected' }] },
		]);
		const { status } = await refused({ items: [group(group(consent()))] });
		expect(status).toBe(400);
	});

	it('interface 2.2: paragraph 1; interface 9: Version 4 to 5 changes.6 | has no mustBeAccepted and cannot be answered as one', async () => {
		const old = { ...group(consent(false)), mustBeAccepted: true };
		const id = await world.sendRequest(old);
		const { content } = await world.b.client.ask('incomingRequests.getRequest', id);
		expect(content.items[0]).not.toHaveProperty('mustBeAccepted');
		const can = async (entry: object): Promise<Answered> =>
			await world.b.client.ask('incomingRequests.canAccept', id, { items: [entry] });
		expect((await can({ items: [no] })).isSuccess).toBe(true);
		for (const whole of [yes, no]) {
			expect(codesIn(await can(whole))).toContain(
				'error.consumption.requests.decide.validation.requestItemGroupAnsweredAsRequestItem',
			);
		}
	});
});

describe('items', () => {
	it('interface 2.2: paragraph 2 | have mustBeAccepted, which decides what may be rejected', async () => {
		const query = { '@type': 'IdentityAttributeQuery', valueType: 'Surname' };
		const attribute = {
			'@type': 'IdentityAttribute',
			owner: '',
			value: { '@type': 'Surname', value: 'Lovelace' },
		};
		const own = await world.createAttribute({ '@type': 'Nationality', value: 'DE' });
		const kinds = [
			{
				'@type': 'ShareAttributeRequestItem',
				attribute: own.content,
				sourceAttributeId: own.id,
			},
			{ '@type': 'ReadAttributeRequestItem', query },
			{ '@type': 'ProposeAttributeRequestItem', query, attribute },
		];
		for (const kind of kinds) {
			for (const wrong of [kind, { ...kind, mustBeAccepted: 'yes' }]) {
				expect((await refused({ items: [wrong] })).status).toBe(400);
			}
			const must = { ...kind, mustBeAccepted: true };
			const may = { ...kind, mustBeAccepted: false };
			const id = await world.sendRequest(must, may);
			const can = async (...items: object[]): Promise<Answered> =>
				await world.b.client.ask('incomingRequests.canAccept', id, { items });
			const filled = { ...attribute, owner: world.b.address };
			const answer = {
				accept: true,
				...(kind['@type'].startsWith('Read') && { newAttribute: filled }),
				...(kind['@type'].startsWith('Propose') && { attribute: filled }),
			};
			expect((await can(answer, no)).isSuccess).toBe(true);
			expect(codesIn(await can(no, answer))).toContain(
				'error.consumption.requests.decide.validation.mustBeAcceptedItemNotAccepted',
			);
		}
	});
});

describe('a ShareAttributeRequestItem', () => {
	let own: Answered;
	const item = (change: object = {}) => ({
		'@type': 'ShareAttributeRequestItem',
		mustBeAccepted: true,
		attribute: own.content,
		sourceAttributeId: own.id,
		...change,
	});
	beforeAll(async () => {
		own = await world.createAttribute({ '@type': 'DisplayName', value: 'Example Org' });
	});

	it.each([true, false])(
		'interface 2.2: ShareAttributeRequestItem.mustBeAccepted | is a boolean: %s',
		async (mustBeAccepted) => {
			const id = await world.sendRequest(item({ mustBeAccepted }));
			const rejected = { items: [no] };
			const { isSuccess } = await world.b.client.ask('incomingRequests.canAccept', id, rejected);
			expect(isSuccess).toBe(!mustBeAccepted);
			const { status } = await refused({ items: [item({ mustBeAccepted: 'true' })] });
			expect(status).toBe(400);
		},
	);

	it('interface 2.2: ShareAttributeRequestItem.attribute | is the identity attribute with its owner and value', async () => {
		expect(own.content).toMatchObject({
			'@type': 'IdentityAttribute',
			owner: world.a.address,
			value: { '@type': 'DisplayName', value: 'Example Org' },
		});
		expect((await world.validate(item())).isSuccess).toBe(true);
		for (const attribute of [
			undefined,
			own.content.value,
			{ ...own.content, owner: world.b.address },
			{ ...own.content, value: { '@type': 'DisplayName', value: 'Another' } },
		]) {
			expect((await refused({ items: [item({ attribute })] })).status).toBe(400);
		}
	});

	it('interface 2.2: ShareAttributeRequestItem.sourceAttributeId | names what is shared', async () => {
		const id = await world.sendRequest(item());
		await world.b.client.ask('incomingRequests.accept', id, { items: [yes] });
		await world.sync();
		const [copy] = await world.a.client.ask('attributes.getSharedVersionsOfAttribute', own.id, {});
		expect(copy.shareInfo.sourceAttribute).toBe(own.id);
		for (const sourceAttributeId of [undefined, 5, 'ATT00000000000000000']) {
			expect((await refused({ items: [item({ sourceAttributeId })] })).status).toBe(400);
		}
	});

	it('interface 2.2: paragraph 3 | shares a repository attribute, never a shared copy', async () => {
		const [copy] = await world.a.client.ask('attributes.getOwnSharedIdentityAttributes', {
			peer: world.b.address,
		});
		const result = await world.validate(
			item({ attribute: copy.content, sourceAttributeId: copy.id }),
		);
		expect(result.isSuccess).toBe(false);
		expect(codesIn(result)).toContain('error.consumption.requests.invalidRequestItem');
	});
});

describe('a ReadAttributeRequestItem', () => {
	it.each([true, false])(
		'interface 2.2: ReadAttributeRequestItem.mustBeAccepted | is a boolean: %s',
		async (mustBeAccepted) => {
			const id = await world.sendRequest(read('GivenName', mustBeAccepted));
			const rejected = { items: [no] };
			const { isSuccess } = await world.b.client.ask('incomingRequests.canAccept', id, rejected);
			expect(isSuccess).toBe(!mustBeAccepted);
			const wrong = { ...read('GivenName'), mustBeAccepted: 1 };
			expect((await refused({ items: [wrong] })).status).toBe(400);
		},
	);

	it('interface 2.2: ReadAttributeRequestItem.query | says what is asked for, in one of the kinds', async () => {
		const id = await world.sendRequest(read('GivenName'));
		const answer = { items: [give(world.b.address, givenName('Ada'))] };
		await world.b.client.ask('incomingRequests.accept', id, answer);
		await world.sync();
		const { response } = await world.a.client.ask('outgoingRequests.getRequest', id);
		expect(response.content.items[0].attribute.value).toEqual(givenName('Ada'));
		for (const query of [undefined, {}, { '@type': 'AttributeQuery' }]) {
			expect((await refused({ items: [{ ...read('GivenName'), query }] })).status).toBe(400);
		}
	});
});

describe('a ProposeAttributeRequestItem', () => {
	it('interface 2.2: paragraph 4 | has an attribute that fits its query', async () => {
		const item = (valueType: string, tags?: string[]) => ({
			'@type': 'ProposeAttributeRequestItem',
			mustBeAccepted: true,
			query: { '@type': 'IdentityAttributeQuery', valueType, tags },
			attribute: { '@type': 'IdentityAttribute', owner: '', value: givenName('Ada') },
		});
		expect((await world.validate(item('GivenName'))).isSuccess).toBe(true);
		expect((await refused({ items: [item('Surname')] })).status).toBe(400);
		expect(codesIn(await world.validate(item('GivenName', ['x:nickname'])))).toContain(
			'error.consumption.requests.attributeQueryMismatch',
		);
		for (const name of ['attribute', 'query']) {
			const { status } = await refused({ items: [{ ...item('GivenName'), [name]: undefined }] });
			expect(status).toBe(400);
		}
	});
});
