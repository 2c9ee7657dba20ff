import type { JsonObject } from '../../../../core/model/json';
import type { RelationshipRecord } from '../../../../core/model/record/relationship';
import {
	anHourEarlier,
	anHourLater,
	attributeId,
	givenName,
	now,
	openConsumption,
	people,
	proprietaryText,
	relationshipWith,
	requestId,
	storeAttribute,
	type Consumption,
} from './consumption-fixtures';

const readId = attributeId('read');
const shareId = attributeId('share');
const sourceId = attributeId('source');
const answerId = requestId('answer');

const query: JsonObject = { '@type': 'IdentityAttributeQuery', valueType: 'GivenName' };
const readItem = (more = {}): JsonObject => ({
	'@type': 'ReadAttributeRequestItem',
	mustBeAccepted: true,
	query,
	...more,
});
const shareItem = (more = {}): JsonObject => ({
	'@type': 'ShareAttributeRequestItem',
	attribute: givenName('Anna'),
	mustBeAccepted: true,
	sourceAttributeId: sourceId,
	...more,
});
const readAnswer = (attribute: JsonObject = givenName('Bob', people.B), more = {}): JsonObject => ({
	'@type': 'ReadAttributeAcceptResponseItem',
	attribute,
	attributeId: readId,
	result: 'Accepted',
	...more,
});
const shareAnswer = (more = {}): JsonObject => ({
	'@type': 'ShareAttributeAcceptResponseItem',
	attributeId: shareId,
	result: 'Accepted',
	...more,
});
const rejected: JsonObject = { '@type': 'RejectResponseItem', result: 'Rejected' };
const group = (...items: JsonObject[]): JsonObject => ({ '@type': 'RequestItemGroup', items });
const answerGroup = (...items: JsonObject[]): JsonObject => ({
	'@type': 'ResponseItemGroup',
	items,
});

function arrival(
	items: readonly JsonObject[],
	answers: readonly JsonObject[],
	more: { request?: object; response?: object; relationship?: Partial<RelationshipRecord> } = {},
): RelationshipRecord {
	const base = relationshipWith(people.B, 'Pending');
	const onNewRelationship = { expiresAt: anHourLater, items: [...items], ...more.request };
	const response = {
		items: [...answers],
		requestId: answerId,
		result: 'Accepted',
		...more.response,
	};
	return {
		...base,
		template: {
			...base.template,
			content: { '@type': 'RelationshipTemplateContent', onNewRelationship } as JsonObject,
		},
		creationContent: { '@type': 'RelationshipCreationContent', response } as JsonObject,
		...more.relationship,
	};
}

let consumption: Consumption;
beforeEach(async () => {
	consumption = await openConsumption();
	await storeAttribute(consumption, { id: sourceId, content: givenName('Anna') });
});
afterEach(async () => {
	await consumption.dispose();
});

async function complete(relationship: RelationshipRecord): Promise<void> {
	await consumption.store.transact((tx) =>
		consumption.requests.completeFromRelationship(tx, relationship),
	);
}

const storedIds = async (): Promise<string[]> =>
	(await consumption.attributes.list()).map(({ id }) => id).filter((id) => id !== sourceId);
const eventNames = async (): Promise<string[]> =>
	(await consumption.events()).map(({ name }) => name);

describe('a relationship with the answer to our template', () => {
	it('completes the request under the id that the peer chose', async () => {
		const relationship = arrival([readItem()], [readAnswer()]);
		await complete(relationship);
		const completed = await consumption.requests.get(answerId);
		expect(completed).toEqual({
			id: answerId,
			isOwn: true,
			peer: people.B,
			createdAt: now,
			status: 'Completed',
			content: { '@type': 'Request', expiresAt: anHourLater, items: [readItem()] },
			source: { type: 'RelationshipTemplate', reference: relationship.templateId },
			response: {
				createdAt: now,
				content: {
					'@type': 'Response',
					items: [readAnswer()],
					requestId: answerId,
					result: 'Accepted',
				},
				source: { type: 'Relationship', reference: relationship.id },
			},
		});
		expect(Object.keys(completed.content)).toEqual(['@type', 'expiresAt', 'items']);
		expect(await consumption.requests.list()).toEqual([completed]);
		expect(consumption.warnings).toEqual([]);
	});

	it('keeps what was read as an attribute of the peer', async () => {
		await complete(arrival([readItem()], [readAnswer()]));
		const [attribute] = await consumption.attributes.peerAttributes(people.B);
		expect(attribute).toEqual({
			id: readId,
			createdAt: now,
			owner: people.B,
			content: givenName('Bob', people.B),
			shareInfo: { peer: people.B, requestReference: answerId },
		});
	});

	it('keeps what was shared as a copy of its source', async () => {
		await complete(arrival([shareItem()], [shareAnswer()]));
		expect(await consumption.attributes.get(shareId)).toEqual({
			id: shareId,
			createdAt: now,
			owner: people.A,
			content: givenName('Anna'),
			shareInfo: { peer: people.B, requestReference: answerId, sourceAttribute: sourceId },
		});
	});

	it('announces the attributes first and the shared copy not at all', async () => {
		await complete(
			arrival([shareItem(), group(readItem())], [shareAnswer(), answerGroup(readAnswer())]),
		);
		const events = await consumption.events();
		expect(events.map(({ name, subject, peer }) => [name, subject, peer])).toEqual([
			['consumption.attributeCreated', readId, people.B],
			['consumption.outgoingRequestCreatedAndCompleted', answerId, people.B],
			[
				'consumption.outgoingRequestFromRelationshipCreationCreatedAndCompleted',
				answerId,
				people.B,
			],
		]);
		expect(events[2]?.data).toEqual(await consumption.requests.get(answerId));
		expect(await storedIds()).toEqual([shareId, readId]);
	});

	it('has no effect for items that were rejected', async () => {
		const optional = readItem({ mustBeAccepted: false });
		await complete(arrival([optional, shareItem()], [rejected, shareAnswer()]));
		expect(await storedIds()).toEqual([shareId]);
		expect((await consumption.requests.get(answerId)).status).toBe('Completed');
	});

	it('completes a request that was rejected as a whole', async () => {
		await complete(arrival([readItem()], [rejected], { response: { result: 'Rejected' } }));
		expect((await consumption.requests.get(answerId)).response?.content['result']).toBe('Rejected');
		expect(await storedIds()).toEqual([]);
	});

	it('stores nothing for an attribute that was shared before', async () => {
		const already = {
			'@type': 'AttributeAlreadySharedAcceptResponseItem',
			attributeId: readId,
			result: 'Accepted',
		};
		await complete(arrival([readItem(), shareItem()], [already, already]));
		expect(await storedIds()).toEqual([]);
		expect(await consumption.requests.list()).toHaveLength(1);
	});

	it('counts when it was created, not when we see it', async () => {
		const request = { expiresAt: anHourEarlier };
		const beforeExpiry = new Date(Date.parse(anHourEarlier) - 1).toISOString();
		const inTime = { request, relationship: { createdAt: beforeExpiry } };
		await complete(arrival([readItem()], [readAnswer()], inTime));
		expect(await consumption.requests.list()).toHaveLength(1);
	});

	it('is left alone when it is our own', async () => {
		const relationship = { createdByUs: true };
		await complete(arrival([readItem()], [readAnswer()], { relationship }));
		expect(await consumption.requests.list()).toEqual([]);
	});

	it.each([
		['of the arbitrary kind', { '@type': 'ArbitraryRelationshipCreationContent', value: 1 }],
		['without a response', { '@type': 'RelationshipCreationContent' }],
		[
			'with an unreadable response',
			{ '@type': 'RelationshipCreationContent', response: { result: 'Accepted', items: [] } },
		],
	])('completes nothing when its content is %s', async (_what, creationContent) => {
		await complete(arrival([readItem()], [readAnswer()], { relationship: { creationContent } }));
		expect(await consumption.requests.list()).toEqual([]);
		expect(await eventNames()).toEqual([]);
	});
});

describe('an answer that is none to our request', () => {
	it.each([
		['answers fewer items', [readItem(), readItem()], [readAnswer()], {}],
		['answers more items', [readItem()], [readAnswer(), readAnswer()], {}],
		['answers an item with a group', [readItem()], [answerGroup(readAnswer())], {}],
		['answers a group with an item', [group(readItem())], [readAnswer()], {}],
		[
			'answers fewer items of a group',
			[group(readItem(), readItem())],
			[answerGroup(readAnswer())],
			{},
		],
		['rejects an item that must be accepted', [readItem()], [rejected], {}],
		[
			'reports an error for an item that must be accepted',
			[readItem()],
			[{ '@type': 'ErrorResponseItem', code: 'c', message: 'm', result: 'Error' }],
			{},
		],
		['has an unknown result', [readItem()], [readAnswer()], { response: { result: 'Maybe' } }],
		[
			'accepts an item of a rejected request',
			[readItem()],
			[readAnswer()],
			{ response: { result: 'Rejected' } },
		],
		['answers a read item with that of a share item', [readItem()], [shareAnswer()], {}],
		['answers a share item with that of a read item', [shareItem()], [readAnswer()], {}],
		['has an impossible id', [readItem()], [readAnswer()], { response: { requestId: 'REQ' } }],
		[
			'came after the request had expired',
			[readItem()],
			[readAnswer()],
			{ request: { expiresAt: anHourEarlier } },
		],
		["brings our own attribute as the peer's", [readItem()], [readAnswer(givenName('x'))], {}],
		[
			'brings an attribute of a third identity',
			[readItem()],
			[readAnswer(givenName('x', people.C))],
			{},
		],
		[
			'brings another type of attribute',
			[readItem()],
			[
				readAnswer({
					'@type': 'IdentityAttribute',
					owner: people.B,
					value: { '@type': 'Surname', value: 'x' },
				}),
			],
			{},
		],
		[
			'brings a relationship attribute',
			[readItem()],
			[readAnswer(proprietaryText('k', people.B))],
			{},
		],
		[
			'brings an attribute without the tags',
			[readItem({ query: { ...query, tags: ['x:a'] } })],
			[readAnswer({ ...givenName('x', people.B), tags: ['x:b'] })],
			{},
		],
	])('leaves no trace but a warning when it %s', async (_what, items, answers, more) => {
		await complete(arrival(items, answers, more));
		expect(await consumption.requests.list()).toEqual([]);
		expect(await storedIds()).toEqual([]);
		expect(await eventNames()).toEqual([]);
		expect(consumption.warnings).toHaveLength(1);
		expect(consumption.warnings[0]).toMatchObject({
			message: 'the answer to a template was not usable',
			relationshipId: arrival([], []).id,
		});
	});

	it('does not replace a request that has its id', async () => {
		await complete(arrival([readItem()], [readAnswer()]));
		const first = await consumption.requests.get(answerId);
		const again = readAnswer(givenName('Eve', people.B), { attributeId: attributeId('eve') });
		await complete(arrival([readItem()], [again]));
		expect(await consumption.requests.get(answerId)).toEqual(first);
		expect(await storedIds()).toEqual([readId]);
	});
});

describe('an answer whose parts do not fit', () => {
	it('loses an attribute that nobody asked for when the item was optional', async () => {
		const optional = readItem({ mustBeAccepted: false });
		const foreign = readAnswer(givenName('x', people.C));
		await complete(arrival([optional, shareItem()], [foreign, shareAnswer()]));
		expect(await storedIds()).toEqual([shareId]);
		expect(await consumption.requests.list()).toHaveLength(1);
		expect(consumption.warnings).toHaveLength(1);
	});

	it.each([
		['of our own attribute', sourceId],
		['that is none', 'ATT'],
		['of another object', requestId('other')],
	])('does not store an attribute under an id %s', async (_what, id) => {
		await complete(
			arrival([readItem()], [readAnswer(givenName('Eve', people.B), { attributeId: id })]),
		);
		expect(await storedIds()).toEqual([]);
		expect((await consumption.attributes.get(sourceId)).content).toEqual(givenName('Anna'));
		expect(consumption.warnings).toMatchObject([
			{ reason: 'the attribute ID that the peer chose is taken or malformed' },
		]);
		expect(await eventNames()).not.toContain('consumption.attributeCreated');
	});

	it('completes without a copy when the shared attribute is gone', async () => {
		const gone = shareItem({ sourceAttributeId: attributeId('gone') });
		await complete(arrival([gone], [shareAnswer()]));
		expect(await storedIds()).toEqual([]);
		expect(await consumption.requests.list()).toHaveLength(1);
		expect(consumption.warnings).toMatchObject([
			{ reason: 'the shared attribute was deleted meanwhile' },
		]);
	});
});

describe('an answer with a newer version of an attribute', () => {
	const oldId = attributeId('old');
	const newId = attributeId('new');
	const succession = (attribute = givenName('Robert', people.B)): JsonObject => ({
		'@type': 'AttributeSuccessionAcceptResponseItem',
		predecessorId: oldId,
		result: 'Accepted',
		successorContent: attribute,
		successorId: newId,
	});
	const storeOld = async (shareInfo: object = {}): Promise<void> => {
		await storeAttribute(consumption, {
			id: oldId,
			content: givenName('Bob', people.B),
			shareInfo: { peer: people.B, requestReference: requestId('old'), ...shareInfo },
		});
	};

	it('links both versions', async () => {
		await storeOld();
		await complete(arrival([readItem()], [succession()]));
		expect((await consumption.attributes.get(oldId)).succeededBy).toBe(newId);
		expect(await consumption.attributes.get(newId)).toMatchObject({
			succeeds: oldId,
			content: givenName('Robert', people.B),
			shareInfo: { peer: people.B, requestReference: answerId },
		});
	});

	it('is ignored when the version before is not known', async () => {
		await complete(arrival([readItem()], [succession()]));
		expect(await storedIds()).toEqual([]);
		expect(consumption.warnings).toHaveLength(1);
	});

	it('is ignored when the version before came from somebody else', async () => {
		await storeOld({ peer: people.C });
		await complete(arrival([readItem()], [succession()]));
		expect(await storedIds()).toEqual([oldId]);
	});

	it('is refused when the newer version does not fit the query', async () => {
		await storeOld();
		await complete(arrival([readItem()], [succession(givenName('x', people.C))]));
		expect(await storedIds()).toEqual([oldId]);
		expect(await consumption.requests.list()).toEqual([]);
	});
});
