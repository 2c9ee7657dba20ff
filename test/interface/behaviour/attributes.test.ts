import { settle } from '../../support/gateways';
import { allWork, filtered } from '../support/filters';
import { givenName, World, yes, type Answered } from '../support/world';

jest.setTimeout(60_000);

/* docs/protocol/http-api.md 18.1: attributes */
let world: World;
beforeEach(async () => {
	world = await World.open();
});
afterEach(() => world.close());

const shareItem = (own: Answered) => ({
	'@type': 'ShareAttributeRequestItem',
	mustBeAccepted: true,
	attribute: own.content,
	sourceAttributeId: own.id,
});
const relationshipItem = (key: string, owner: string) => ({
	'@type': 'CreateAttributeRequestItem',
	mustBeAccepted: true,
	attribute: {
		'@type': 'RelationshipAttribute',
		owner,
		key,
		confidentiality: 'public',
		isTechnical: true,
		value: { '@type': 'ProprietaryString', title: 'Customer', value: '42' },
	},
});

/** An own attribute of A that B has, and its copies on both sides, which are equal. */
async function shared(
	value: object = givenName('Ada'),
): Promise<{ own: Answered; copy: Answered }> {
	const own = await world.createAttribute(value);
	await accept(shareItem(own));
	const [copy] = await world.a.client.ask('attributes.getSharedVersionsOfAttribute', own.id, {});
	return { own, copy };
}

async function accept(...items: object[]): Promise<void> {
	const id = await world.sendRequest(...items);
	await world.b.client.ask('incomingRequests.accept', id, { items: items.map(() => yes) });
	await world.sync();
}

const get = async (id: string, { client } = world.b): Promise<Answered> =>
	await client.ask('attributes.getAttribute', id);
const ids = (list: Answered[]): string[] => list.map(({ id }) => id as string);

describe('creating', () => {
	const tagged = { content: { value: givenName('Ada'), tags: ['x:test'] } };

	it('http-api 18.1: attributes 1 | a given name with a tag can be created', async () => {
		const { status, result } = await world.a.http.ask('PUT /Attributes/CanCreate', {
			json: tagged,
		});
		expect([status, result]).toEqual([200, { isSuccess: true }]);
	});

	it('http-api 18.1: attributes 2; http-api 18.1: attributes 3; http-api 18.1: attributes 4 | it is created, is not a default, and is got by its id', async () => {
		const { status, result } = await world.a.http.ask('POST /Attributes', { json: tagged });
		expect([status, result.content.tags]).toEqual([201, ['x:test']]);
		expect(result).not.toHaveProperty('isDefault');
		expect({ ...(await get(result.id, world.a)), owner: world.a.address }).toEqual(result);
	});

	it('http-api 18.1: attributes 5 | it is in the list of all attributes and in the list of valid ones', async () => {
		const own = await world.createAttribute(givenName('Ada'));
		const over = await world.a.client.ask('attributes.createRepositoryAttribute', {
			content: { value: givenName('Eve'), validTo: '2020-01-01T00:00:00.000Z' },
		});
		expect(ids(await world.a.client.ask('attributes.getAttributes', {}))).toEqual([
			own.id,
			over.id,
		]);
		expect(await world.a.client.ask('attributes.getValidAttributes', {})).toEqual([own]);
	});
});

describe('succession', () => {
	const successorContent = { value: givenName('Augusta') };

	it('http-api 18.1: attributes 6 | links predecessor and successor', async () => {
		const own = await world.createAttribute(givenName('Ada'));
		const { predecessor, successor } = await world.a.client.ask(
			'attributes.succeedAttribute',
			own.id,
			{ successorContent },
		);
		expect(predecessor).toMatchObject({ id: own.id, succeededBy: successor.id });
		expect(successor).toMatchObject({ succeeds: own.id, content: successorContent });
	});

	it('http-api 18.1: attributes 7 | reaches a peer that is notified, under the same id', async () => {
		const { own } = await shared();
		const { successor } = await world.a.client.ask('attributes.succeedAttribute', own.id, {
			successorContent,
		});
		const notified = await world.a.client.ask(
			'attributes.notifyPeerAboutRepositoryAttributeSuccession',
			successor.id,
			{ peer: world.b.address },
		);
		await settle(world.b.http.gateway);
		const [told] = await world.b.http.gateway.events.recent(
			{ names: ['consumption.peerSharedAttributeSucceeded'] },
			10,
		);
		expect((told?.data as Answered).successor.id).toBe(notified.successor.id);
		expect((await get(notified.successor.id)).content.value).toEqual(givenName('Augusta'));
	});

	it('http-api 18.1: attributes 8 | does the same for a relationship attribute', async () => {
		await accept(relationshipItem('customer', world.a.address));
		const [own] = await world.a.client.ask('attributes.getAttributes', {
			content: { key: 'customer' },
		});
		const { successor } = await world.a.client.ask('attributes.succeedAttribute', own.id, {
			successorContent: { value: { ...own.content.value, value: '43' } },
		});
		await settle(world.b.http.gateway);
		const told = await world.b.http.gateway.events.recent(
			{ names: ['consumption.peerSharedAttributeSucceeded'] },
			10,
		);
		expect(told).toMatchObject([{ data: { successor: { id: successor.id } } }]);
		expect((await get(successor.id)).content.value.value).toBe('43');
		expect((await get(own.id)).succeededBy).toBe(successor.id);
	});
});

describe('filters', () => {
	it('http-api 18.1: attributes 9; http-api 18.1: paragraph 1 | find an attribute by each of its values, and not by a changed one', async () => {
		const own = await world.a.client.ask('attributes.createRepositoryAttribute', {
			content: {
				value: givenName('Ada'),
				tags: ['x:test'],
				validFrom: '2020-01-01T00:00:00.000Z',
			},
		});
		const ofOwn = [
			...['createdAt', 'content.@type', 'content.tags', 'content.owner', 'content.value.@type'],
		];
		for (const list of ['Attributes', 'Attributes/Valid']) {
			expect(await filtered(world.a, list, own, ofOwn)).toEqual(allWork(ofOwn));
		}
		await accept(relationshipItem('customer', world.a.address));
		const [copy] = await world.a.client.ask('attributes.getAttributes', {
			content: { key: 'customer' },
		});
		const ofCopy = [
			...['createdAt', 'content.@type', 'content.owner', 'content.key', 'content.isTechnical'],
			...['content.confidentiality', 'content.value.@type', 'shareInfo.peer'],
			'shareInfo.requestReference',
		];
		expect(await filtered(world.a, 'Attributes', copy, ofCopy)).toEqual(allWork(ofCopy));
	});

	it('http-api 18.1: attributes 10 | work in the lists of shared attributes likewise', async () => {
		const { own, copy } = await shared();
		await world.a.client.ask('attributes.succeedAttribute', own.id, {
			successorContent: { value: givenName('Augusta') },
		});
		const fields = [
			...['createdAt', 'content.@type', 'content.value.@type', 'shareInfo.requestReference'],
		];
		const ofA = `Attributes/Own/Shared/Identity?peer=${world.b.address}`;
		const more = [...fields, 'shareInfo.sourceAttribute'];
		expect(await filtered(world.a, ofA, copy, more)).toEqual(allWork(more));
		const ofB = `Attributes/Peer/Shared/Identity?peer=${world.a.address}`;
		expect(await filtered(world.b, ofB, await get(copy.id), fields)).toEqual(allWork(fields));
	});
});

describe('queries', () => {
	it('http-api 18.1: attributes 11 | find identity attributes by their type', async () => {
		const own = await world.createAttribute(givenName('Ada'));
		await world.createAttribute({ '@type': 'Surname', value: 'Lovelace' });
		const query = { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' };
		expect(await world.a.client.ask('attributes.executeIdentityAttributeQuery', { query })).toEqual(
			[own],
		);
	});

	it('http-api 18.1: attributes 12 | find relationship attributes by key and owner', async () => {
		await accept(
			relationshipItem('ours', world.a.address),
			relationshipItem('theirs', world.b.address),
		);
		const execute = async (key: string, owner: string): Promise<Answered> =>
			await world.a.http.ask('POST /Attributes/ExecuteRelationshipAttributeQuery', {
				json: {
					query: {
						'@type': 'RelationshipAttributeQuery',
						key,
						owner,
						attributeCreationHints: {
							title: 'Customer',
							valueType: 'ProprietaryString',
							confidentiality: 'public',
						},
					},
				},
			});
		for (const [key, owner] of [
			['ours', world.a.address],
			['theirs', world.b.address],
		] as const) {
			const { status, result } = await execute(key, owner);
			expect([status, result.content]).toMatchObject([200, { key, owner }]);
		}
		expect((await execute('ours', world.b.address)).status).toBe(404);
	});
});

describe('lists', () => {
	it('http-api 18.1: attributes 13 | the repository has six, and five in their latest versions', async () => {
		const { own } = await shared();
		for (const value of ['1', '2', '3', '4']) await world.createAttribute(givenName(value));
		await world.a.client.ask('attributes.succeedAttribute', own.id, {
			successorContent: { value: givenName('Augusta') },
		});
		const list = async (onlyLatestVersions: boolean): Promise<Answered[]> =>
			await world.a.client.ask('attributes.getOwnRepositoryAttributes', { onlyLatestVersions });
		expect(await list(false)).toHaveLength(6);
		expect(await list(true)).toHaveLength(5);
		expect((await list(false)).filter((one) => one.shareInfo !== undefined)).toEqual([]);
		expect(await world.a.client.ask('attributes.getAttributes', {})).toHaveLength(7);
	});

	it('http-api 18.1: attributes 14; http-api 18.1: attributes 15 | versions that were shared are shown, all or the latest', async () => {
		const { own } = await shared();
		const { successor } = await world.a.client.ask('attributes.succeedAttribute', own.id, {
			successorContent: { value: givenName('Augusta') },
		});
		await world.a.client.ask(
			'attributes.notifyPeerAboutRepositoryAttributeSuccession',
			successor.id,
			{ peer: world.b.address },
		);
		await world.sync();
		const lists = [
			[world.a, 'getOwnSharedIdentityAttributes', world.b.address],
			[world.b, 'getPeerSharedIdentityAttributes', world.a.address],
		] as const;
		for (const [side, name, peer] of lists) {
			const list = async (onlyLatestVersions: boolean): Promise<Answered[]> =>
				await side.client.ask(`attributes.${name}`, { peer, onlyLatestVersions });
			expect(await list(true)).toHaveLength(1);
			expect(await list(false)).toHaveLength(2);
		}
		const c = await world.stranger();
		const { id } = await world.pending(c);
		await world.a.client.ask('relationships.acceptRelationship', id);
		await settle(c.http.gateway);
		const request = await world.a.http.gateway.attributes.share(successor.id, { peer: c.address });
		await settle(c.http.gateway);
		await c.client.ask('incomingRequests.accept', request.id, { items: [yes] });
		await settle(world.a.http.gateway);
		const versions = async (given: object): Promise<number> =>
			(await world.a.client.ask('attributes.getSharedVersionsOfAttribute', successor.id, given))
				.length;
		expect(
			await world.a.client.ask('attributes.getVersionsOfAttribute', successor.id),
		).toHaveLength(2);
		expect(await versions({ peers: [world.b.address], onlyLatestVersions: false })).toBe(2);
		expect(await versions({ peers: [world.b.address] })).toBe(1);
		expect(await versions({ onlyLatestVersions: false })).toBe(3);
		expect(await versions({})).toBe(2);
	});
});

describe('deleting', () => {
	const statusAt = async (id: string, side = world.b): Promise<unknown> =>
		(await get(id, side)).deletionInfo?.deletionStatus;

	it('http-api 18.1: attributes 16 | an own shared one marks the copy of the peer', async () => {
		const { copy } = await shared();
		expect(await statusAt(copy.id, world.b)).toBeUndefined();
		await world.a.client.ask('attributes.deleteOwnSharedAttributeAndNotifyPeer', copy.id);
		await settle(world.b.http.gateway);
		expect(await statusAt(copy.id, world.b)).toBe('DeletedByOwner');
		expect((await world.a.http.ask(`GET /Attributes/${copy.id}`)).status).toBe(404);
	});

	it('http-api 18.1: attributes 17 | one of a peer marks the record of its owner', async () => {
		const { copy } = await shared();
		await world.b.client.ask('attributes.deletePeerSharedAttributeAndNotifyOwner', copy.id);
		await settle(world.a.http.gateway);
		expect(await statusAt(copy.id, world.a)).toBe('DeletedByPeer');
		expect((await world.b.http.ask(`GET /Attributes/${copy.id}`)).status).toBe(404);
	});

	it('http-api 18.1: attributes 18 | a repository attribute is gone', async () => {
		const own = await world.createAttribute(givenName('Ada'));
		expect((await world.a.http.ask(`DELETE /Attributes/${own.id}`)).status).toBe(204);
		expect((await world.a.http.ask(`GET /Attributes/${own.id}`)).status).toBe(404);
	});

	it('http-api 18.1: attributes 19 | one of a third party tells who shared it', async () => {
		const c = await world.stranger();
		const { id } = await world.pending(c);
		await world.a.client.ask('relationships.acceptRelationship', id);
		await settle(c.http.gateway);
		await accept(relationshipItem('customer', world.a.address));
		const [known] = await world.b.client.ask('attributes.getAttributes', {
			content: { key: 'customer' },
		});
		const draft = await c.client.ask('outgoingRequests.createRequest', {
			peer: world.a.address,
			content: {
				items: [
					{
						'@type': 'ReadAttributeRequestItem',
						mustBeAccepted: true,
						query: {
							'@type': 'ThirdPartyRelationshipAttributeQuery',
							key: 'customer',
							owner: '',
							thirdParty: [world.b.address],
						},
					},
				],
			},
		});
		await c.client.ask('messages.sendMessage', {
			recipients: [world.a.address],
			content: draft.content,
		});
		await settle(world.a.http.gateway);
		await world.a.client.ask('incomingRequests.accept', draft.id, {
			items: [{ accept: true, existingAttributeId: known.id }],
		});
		await settle(c.http.gateway);
		const [third] = await c.client.ask('attributes.getAttributes', {
			content: { key: 'customer' },
		});
		const deleted = await c.client.ask(
			'attributes.deleteThirdPartyRelationshipAttributeAndNotifyPeer',
			third.id,
		);
		expect(deleted.notificationId).toMatch(/^NOT/);
		await settle(world.a.http.gateway);
		expect(await statusAt(third.id, world.a)).toBe('DeletedByPeer');
	});
});

it('http-api 18.1: attributes 20 | the tag collection has languages and types', async () => {
	const { status, result } = await world.a.http.ask('GET /Attributes/TagCollection');
	expect([status, result]).toEqual([
		200,
		{
			supportedLanguages: expect.any(Array) as string[],
			tagsForAttributeValueTypes: expect.any(Object) as object,
		},
	]);
});

describe('IQL', () => {
	const city = { '@type': 'City', value: 'Heidelberg' };

	it('http-api 18.1: iqlquery 1; http-api 18.1: iqlquery 2 | understands and, or and parentheses of tags, without a type', async () => {
		const create = async (value: string, ...tags: string[]): Promise<string> =>
			(
				await world.a.client.ask('attributes.createRepositoryAttribute', {
					content: { value: givenName(value), tags },
				})
			).id;
		const a = await create('A', 'x:one');
		const b = await create('B', 'x:two');
		const both = await create('C', 'x:one', 'x:two');
		const three = await create('D', 'x:three');
		const found = async (queryString: string): Promise<string[]> => {
			const { status, result } = await world.a.http.ask('POST /Attributes/ExecuteIQLQuery', {
				json: { query: { queryString } },
			});
			expect(status).toBe(200);
			return ids(result).sort();
		};
		expect(await found("#'x:one'")).toEqual([a, both].sort());
		expect(await found("#'x:one' && #'x:two'")).toEqual([both]);
		expect(await found("#'x:one' || #'x:three'")).toEqual([a, both, three].sort());
		expect(await found("( #'x:one' || #'x:three' ) && #'x:two'")).toEqual([both]);
		expect(await found("#'x:one' || ( #'x:three' && #'x:two' )")).toEqual([a, both].sort());
		expect(await found("( #'x:one' || #'x:two' ) && GivenName")).toEqual([a, b, both].sort());
	});

	/** B answers what A asks with an IQL query; the copies on both sides. */
	async function answered(item: object, decision: object): Promise<[Answered, Answered]> {
		const id = await world.sendRequest(item);
		await world.b.client.ask('incomingRequests.accept', id, {
			items: [{ accept: true, ...decision }],
		});
		await world.sync();
		const { response } = await world.a.client.ask('outgoingRequests.getRequest', id);
		const copyId = response.content.items[0].attributeId;
		return [await get(copyId, world.a), await get(copyId, world.b)];
	}
	const query = { '@type': 'IQLQuery', queryString: 'City' };
	const expectCopies = ([atA, atB]: [Answered, Answered]): void => {
		expect(atA.content).toEqual(atB.content);
		expect(atA.shareInfo.peer).toBe(world.b.address);
		expect(atB.shareInfo.peer).toBe(world.a.address);
		expect(atA.content.value).toEqual(city);
	};

	it('http-api 18.1: iqlquery 3; http-api 18.1: iqlquery 5 | a question is answered with an existing attribute', async () => {
		const own = await world.createAttribute(city, world.b);
		const item = { '@type': 'ReadAttributeRequestItem', mustBeAccepted: true, query };
		const copies = await answered(item, { existingAttributeId: own.id });
		expectCopies(copies);
		expect(copies[1].shareInfo.sourceAttribute).toBe(own.id);
	});

	it('http-api 18.1: iqlquery 4; http-api 18.1: iqlquery 5 | a proposal is answered with an existing or a new attribute', async () => {
		const attribute = { '@type': 'IdentityAttribute', owner: '', value: city };
		const item = { '@type': 'ProposeAttributeRequestItem', mustBeAccepted: true, query, attribute };
		const fresh = { attribute: { ...attribute, owner: world.b.address } };
		const copies = await answered(item, fresh);
		expectCopies(copies);
		const village = { '@type': 'City', value: 'Elsewhere' };
		const own = await world.createAttribute(village, world.b);
		const [atA, atB] = await answered(item, { attributeId: own.id });
		expect(atA.content).toEqual(atB.content);
		expect(atB.shareInfo.sourceAttribute).toBe(own.id);
	});
});
