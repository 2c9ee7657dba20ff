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
	requestId,
	storeAttribute,
	type Consumption,
} from './consumption-fixtures';
import {
	readId,
	shareId,
	sourceId,
	answerId,
	readItem,
	shareItem,
	readAnswer,
	shareAnswer,
	rejected,
	group,
	answerGroup,
	arrival,
} from './template-answers';

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
		consumption.completion.fromRelationship(tx, relationship),
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
			// Consumers of version 6 do not get this one.
			['consumption.attributeForwardingDetailsChanged', sourceId, people.B],
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

describe('an answer whose parts do not fit', () => {
	it('loses an attribute that was not requested when the item was optional', async () => {
		const optional = readItem({ mustBeAccepted: false });
		const foreign = readAnswer(givenName('x', people.C));
		await complete(arrival([optional, shareItem()], [foreign, shareAnswer()]));
		expect(await storedIds()).toEqual([shareId]);
		expect(await consumption.requests.list()).toHaveLength(1);
		expect(consumption.warnings).toHaveLength(1);
	});

	it.each([
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

	it('keeps our own attribute when the peer has chosen its id', async () => {
		const eve = readAnswer(givenName('Eve', people.B), { attributeId: sourceId });
		await complete(arrival([readItem()], [eve]));
		const [id = ''] = await storedIds();
		expect(id).not.toBe(sourceId);
		expect((await consumption.attributes.get(id)).content).toMatchObject({ owner: people.B });
		expect((await consumption.attributes.get(sourceId)).content).toEqual(givenName('Anna'));
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

// shows connector-7 8: succession as an answer; generation-7 8.8: paragraph 1
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

	it('is ignored when the version before came from another peer', async () => {
		await storeOld({ peer: people.C });
		await complete(arrival([readItem()], [succession()]));
		expect(await storedIds()).toEqual([oldId]);
	});

	it('is refused when the newer version does not fit the query', async () => {
		await storeOld();
		await complete(arrival([readItem()], [succession(givenName('x', people.C))]));
		expect(await storedIds()).toEqual([oldId]);
		expect(await consumption.requests.list()).toMatchObject([
			{ status: 'Expired', refusedAnswers: [{ code: expect.any(String) }] },
		]);
	});
});
