import type { RelationshipRecord } from '../../../../core/model/record/relationship';
import {
	anHourEarlier,
	attributeId,
	givenName,
	openConsumption,
	people,
	proprietaryText,
	storeAttribute,
	type Consumption,
} from './consumption-fixtures';
import {
	readId,
	sourceId,
	answerId,
	query,
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
		consumption.requests.completeFromRelationship(tx, relationship),
	);
}

const storedIds = async (): Promise<string[]> =>
	(await consumption.attributes.list()).map(({ id }) => id).filter((id) => id !== sourceId);
const eventNames = async (): Promise<string[]> =>
	(await consumption.events()).map(({ name }) => name);

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
