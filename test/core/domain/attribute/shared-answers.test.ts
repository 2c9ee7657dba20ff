import { applySuccessionAnswer } from '../../../../core/domain/attribute/shared-answers';
import type { Attribute } from '../../../../core/model/content/attributes';
import { markDeletion } from '../../../../core/domain/attribute/deletion-info';
import type { AttributeRecord } from '../../../../core/model/record/attribute';
import type { WriteTransaction } from '../../../../core/store/store';
import {
	attributeId,
	givenName,
	now,
	openConsumption,
	people,
	proprietaryText,
	requestId,
	storeAttribute,
	type Consumption,
} from '../request/consumption-fixtures';

/* docs/protocol/consumption.md 6.14, 7.3; other answers are played in replay/request-replay.test.ts. */

const sharing = { peer: people.B, requestReference: requestId('1') };

let consumption: Consumption;
beforeEach(async () => {
	consumption = await openConsumption();
});
afterEach(() => consumption.dispose());

const inTransaction = <Result>(work: (tx: WriteTransaction) => Promise<Result>) =>
	consumption.store.transact(work);
const writer = () => consumption.attributes.writer();

describe('an answer with a new version of what the peer has shared', () => {
	const answer = (predecessorId: string, successorContent: Attribute, successorId = 'a') => {
		const parts = { predecessorId, successorId: attributeId(successorId), successorContent };
		return inTransaction((tx) => applySuccessionAnswer(tx, parts, sharing, writer()));
	};
	const store = async (parts: Pick<AttributeRecord, 'content' | 'shareInfo'>): Promise<string> => {
		await storeAttribute(consumption, { id: attributeId('1'), ...parts });
		return attributeId('1');
	};

	it('keeps the third party, with events of both names', async () => {
		const shareInfo = { ...sharing, thirdPartyAddress: people.C };
		const id = await store({ content: proprietaryText('k', people.C), shareInfo });
		const changed = { ...proprietaryText('k', people.C), validFrom: now };
		expect((await answer(id, changed)).successor.shareInfo).toEqual(shareInfo);
		const names = (await consumption.events()).map(({ name }) => name);
		expect(names).toEqual([
			'consumption.thirdPartyRelationshipAttributeSucceeded',
			'consumption.thirdPartyOwnedRelationshipAttributeSucceeded',
		]);
	});

	it.each<readonly [string, Pick<AttributeRecord, 'content' | 'shareInfo'>, Attribute]>([
		[
			'an attribute that another peer has shared',
			{ content: givenName('Cy', people.C), shareInfo: { ...sharing, peer: people.C } },
			givenName('Cyd', people.C),
		],
		[
			'a copy that we have made',
			{
				content: proprietaryText('k', people.C),
				shareInfo: { ...sharing, sourceAttribute: attributeId('2'), thirdPartyAddress: people.C },
			},
			{ ...proprietaryText('k', people.C), validFrom: now },
		],
		['an own attribute', { content: givenName('Ann') }, givenName('Eve')],
	])('cannot change %s', async (_what, parts, content) => {
		const id = await store(parts);
		const before = await consumption.attributes.list();
		await expect(answer(id, content)).rejects.toMatchObject({
			code: expect.stringMatching(/^error\.consumption\.attributes\./) as string,
		});
		expect(await consumption.attributes.list()).toEqual(before);
	});

	it.each([
		['taken', '1', 'successorMustNotYetExist'],
		['malformed', '€', 'successorIsNotAValidAttribute'],
	])('is refused when its id is %s', async (_what, end, problem) => {
		const id = await store({ content: givenName('Bob', people.B), shareInfo: sharing });
		await expect(answer(id, givenName('Rob', people.B), end)).rejects.toMatchObject({
			code: `error.consumption.attributes.${problem}`,
		});
	});
});

describe('a mark of deletion', () => {
	const mark = (deletionStatus: 'ToBeDeleted' | 'DeletedByPeer' | 'DeletionRequestSent') => ({
		deletionStatus,
		deletionDate: now,
	});
	const marked = (record: AttributeRecord, status: Parameters<typeof mark>[0]) =>
		inTransaction((tx) => markDeletion(tx, record, mark(status), people.A));
	const record = (parts: Pick<AttributeRecord, 'content' | 'shareInfo'>): AttributeRecord => ({
		id: attributeId('1'),
		createdAt: now,
		...parts,
	});
	const ofThirdParty = { ...sharing, thirdPartyAddress: people.C };

	it.each<readonly [string, AttributeRecord, Parameters<typeof mark>[0], string]>([
		[
			'a repository attribute',
			record({ content: givenName('x') }),
			'ToBeDeleted',
			'cannotSetDeletionInfoOfRepositoryAttributes',
		],
		[
			'an own one',
			record({ content: givenName('x'), shareInfo: sharing }),
			'ToBeDeleted',
			'invalidDeletionInfoOfOwnSharedAttribute',
		],
		[
			'one of the peer',
			record({ content: givenName('x', people.B), shareInfo: sharing }),
			'DeletedByPeer',
			'invalidDeletionInfoOfPeerSharedAttribute',
		],
		[
			'one of a third party',
			record({ content: proprietaryText('k', people.C), shareInfo: ofThirdParty }),
			'DeletionRequestSent',
			'invalidDeletionInfoOfThirdPartyRelationshipAttribute',
		],
	])('is refused for %s that cannot have it', async (_what, attribute, status, problem) => {
		await storeAttribute(consumption, attribute);
		await expect(marked(attribute, status)).rejects.toMatchObject({
			code: `error.consumption.attributes.${problem}`,
		});
	});

	it.each<readonly [string, string, Parameters<typeof mark>[0]]>([
		['our own', people.A, 'DeletionRequestSent'],
		['the peer', people.B, 'ToBeDeleted'],
		['the peer', people.B, 'DeletedByPeer'],
	])(
		'is possible for an attribute of a third party that was shared by %s (%s)',
		async (_what, owner, status) => {
			const attribute = record({ content: proprietaryText('k', owner), shareInfo: ofThirdParty });
			await storeAttribute(consumption, attribute);
			await marked(attribute, status);
			expect(await consumption.attributes.get(attribute.id)).toMatchObject({
				deletionInfo: { deletionStatus: status },
			});
		},
	);
});
