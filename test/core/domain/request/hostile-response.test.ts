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
		consumption.completion.fromRelationship(tx, relationship),
	);
}

const storedIds = async (): Promise<string[]> =>
	(await consumption.attributes.list()).map(({ id }) => id).filter((id) => id !== sourceId);
const eventNames = async (): Promise<string[]> =>
	(await consumption.events()).map(({ name }) => name);

describe('an answer that is none to our request', () => {
	const mismatch = 'error.gateway.requests.responseMismatch';
	const unfit = 'error.consumption.requests.attributeQueryMismatch';
	const expired = 'error.consumption.requests.cannotCreateRequestWithExpirationDateInPast';

	it.each([
		['answers fewer items', mismatch, [readItem(), readItem()], [readAnswer()], {}],
		['answers more items', mismatch, [readItem()], [readAnswer(), readAnswer()], {}],
		['answers an item with a group', mismatch, [readItem()], [answerGroup(readAnswer())], {}],
		['answers a group with an item', mismatch, [group(readItem())], [readAnswer()], {}],
		[
			'answers fewer items of a group',
			mismatch,
			[group(readItem(), readItem())],
			[answerGroup(readAnswer())],
			{},
		],
		['rejects an item that must be accepted', mismatch, [readItem()], [rejected], {}],
		[
			'reports an error for an item that must be accepted',
			mismatch,
			[readItem()],
			[{ '@type': 'ErrorResponseItem', code: 'c', message: 'm', result: 'Error' }],
			{},
		],
		[
			'has an unknown result',
			mismatch,
			[readItem()],
			[readAnswer()],
			{ response: { result: 'Maybe' } },
		],
		[
			'accepts an item of a rejected request',
			mismatch,
			[readItem()],
			[readAnswer()],
			{ response: { result: 'Rejected' } },
		],
		[
			'answers a read item with the one of a share item',
			mismatch,
			[readItem()],
			[shareAnswer()],
			{},
		],
		[
			'answers a share item with the one of a read item',
			mismatch,
			[shareItem()],
			[readAnswer()],
			{},
		],
		[
			'has an impossible id',
			mismatch,
			[readItem()],
			[readAnswer()],
			{ response: { requestId: 'REQ' } },
		],
		[
			'came after the request had expired',
			expired,
			[readItem()],
			[readAnswer()],
			{ request: { expiresAt: anHourEarlier } },
		],
		[
			"brings our own attribute as the peer's",
			unfit,
			[readItem()],
			[readAnswer(givenName('x'))],
			{},
		],
		[
			'brings an attribute of a third identity',
			unfit,
			[readItem()],
			[readAnswer(givenName('x', people.C))],
			{},
		],
		[
			'brings another type of attribute',
			unfit,
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
			unfit,
			[readItem()],
			[readAnswer(proprietaryText('k', people.B))],
			{},
		],
		[
			'brings an attribute without the tags',
			unfit,
			[readItem({ query: { ...query, tags: ['x:a'] } })],
			[readAnswer({ ...givenName('x', people.B), tags: ['x:b'] })],
			{},
		],
	])('is stored as refused when it %s', async (_what, code, items, answers, more) => {
		await complete(arrival(items, answers, more));
		expect(await consumption.requests.list()).toMatchObject([
			{ status: 'Expired', refusedAnswers: [{ code }] },
		]);
		expect(await storedIds()).toEqual([]);
		expect(await eventNames()).toEqual(['gateway.answerRefused']);
		expect(consumption.warnings).toHaveLength(1);
		expect(consumption.warnings[0]).toMatchObject({
			message: 'an answer to a request was refused',
			source: arrival([], []).id,
			code,
		});
	});

	it('does not replace a request that has its id', async () => {
		await complete(arrival([readItem()], [readAnswer()]));
		const first = await consumption.requests.get(answerId);
		const again = readAnswer(givenName('Eve', people.B), { attributeId: attributeId('eve') });
		await complete(arrival([readItem()], [again]));
		expect(consumption.warnings).toMatchObject([{ code: mismatch }]);
		expect(await consumption.requests.get(answerId)).toMatchObject(first);
		expect(await storedIds()).toEqual([readId]);
	});
});
