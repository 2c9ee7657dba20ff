import type { Attribute, IdentityAttribute } from '../../../../core/model/content/attributes';
import {
	answerWithExistingAttribute,
	answerWithNewIdentityAttribute,
	applySuccessionAnswer,
	type SharedAnswer,
} from '../../../../core/domain/attribute/shared-answers';
import { createRepositoryAttribute } from '../../../../core/domain/attribute/repository-attributes';
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

/* docs/protocol/consumption.md 6.12 to 6.14, 7.3 */

const sharing = { peer: people.B, requestReference: requestId('1') };

let consumption: Consumption;
beforeEach(async () => {
	consumption = await openConsumption();
});
afterEach(() => consumption.dispose());

const inTransaction = <Result>(work: (tx: WriteTransaction) => Promise<Result>) =>
	consumption.store.transact(work);
const writer = () => consumption.attributes.writer();
const create = (content: IdentityAttribute): Promise<AttributeRecord> =>
	inTransaction((tx) => createRepositoryAttribute(tx, content, writer()));
const answerNew = (content: IdentityAttribute): Promise<SharedAnswer> =>
	inTransaction((tx) => answerWithNewIdentityAttribute(tx, content, sharing, writer()));
const answerExisting = (record: AttributeRecord, tags: string[] = []): Promise<SharedAnswer> =>
	inTransaction((tx) => answerWithExistingAttribute(tx, record, tags, sharing, writer()));
const succeed = async (id: string, value: string): Promise<AttributeRecord> => {
	const successorContent = { value: { '@type': 'GivenName', value } };
	const { successor } = await consumption.attributes.succeed(id, { successorContent });
	const entry = await consumption.store.read((tx) => tx.attributes.get(successor.id));
	return entry?.record as AttributeRecord;
};
const eventNames = async (): Promise<string[]> =>
	(await consumption.events()).map((event) => event.name);

describe('an answer with a new attribute', () => {
	it('creates it and shares a copy', async () => {
		const answer = await answerNew(givenName(' Ann '));
		const [own, copy] = await consumption.attributes.list();
		expect(own?.content).toEqual(givenName('Ann'));
		expect(answer).toMatchObject({ kind: 'shared', attribute: { id: copy?.id } });
		expect(copy?.shareInfo).toEqual({ ...sharing, sourceAttribute: own?.id });
		expect(await eventNames()).toEqual(['consumption.attributeCreated']);
	});

	it('takes one of the same value, and adds the tags that it lacks', async () => {
		const own = await create({ ...givenName('Ann'), tags: ['x:a'] });
		const answer = await answerNew({ ...givenName('Ann '), tags: ['x:a', 'x:b'] });
		expect(answer).toMatchObject({
			kind: 'shared',
			attribute: { content: { tags: ['x:a', 'x:b'], value: { value: 'Ann' } } },
		});
		expect(await eventNames()).toEqual([
			'consumption.attributeCreated',
			'consumption.repositoryAttributeSucceeded',
		]);
		expect(await consumption.attributes.versions(own.id)).toHaveLength(2);
	});

	it('says that the peer has it already', async () => {
		const first = await answerNew(givenName('Ann'));
		const second = await answerNew(givenName('Ann'));
		expect(second.kind).toBe('alreadyShared');
		expect(second).toEqual({ ...first, kind: 'alreadyShared' });
		expect(await consumption.attributes.list()).toHaveLength(2);
	});

	it('gives the peer a new version of what it has', async () => {
		await answerNew(givenName('Ann'));
		const answer = await answerNew({ ...givenName('Ann'), tags: ['x:new'] });
		expect(answer).toMatchObject({
			kind: 'succeeded',
			predecessor: { content: givenName('Ann') },
			successor: { content: { tags: ['x:new'] }, shareInfo: { peer: people.B } },
		});
		expect((await eventNames()).at(-1)).toBe('consumption.ownSharedAttributeSucceeded');
	});

	it('shares again what the peer has deleted', async () => {
		const first = await answerNew(givenName('Ann'));
		if (first.kind !== 'shared') throw new Error('nothing was shared');
		const mark = { deletionStatus: 'DeletedByPeer', deletionDate: now } as const;
		await inTransaction((tx) => markDeletion(tx, first.attribute, mark, people.A));
		expect((await answerNew(givenName('Ann'))).kind).toBe('shared');
	});

	it('prefers an attribute that is no part of another one, which can be succeeded', async () => {
		const parts = { recipient: 'R', street: 'S', houseNo: '1', zipCode: '1', country: 'DE' };
		const value = { '@type': 'StreetAddress', ...parts, city: 'Town' } as const;
		await create({ '@type': 'IdentityAttribute', owner: people.A, value });
		const city = (tags: string[]): IdentityAttribute => ({
			'@type': 'IdentityAttribute',
			owner: people.A,
			value: { '@type': 'City', value: 'Town' },
			tags,
		});
		await expect(answerNew(city(['x:a']))).rejects.toMatchObject({
			code: 'error.consumption.attributes.cannotSucceedChildOfComplexAttribute',
		});
		const own = await create(city([]));
		const answer = await answerNew(city(['x:a']));
		expect(answer).toMatchObject({ kind: 'shared', attribute: { content: { tags: ['x:a'] } } });
		expect(await consumption.attributes.versions(own.id)).toHaveLength(2);
	});

	it('interface 7: error.consumption.attributes.wrongOwnerOfRepositoryAttribute | cannot create an attribute of another identity', async () => {
		await expect(answerNew(givenName('Bob', people.B))).rejects.toMatchObject({
			code: 'error.consumption.attributes.wrongOwnerOfRepositoryAttribute',
		});
		expect(await consumption.attributes.list()).toEqual([]);
	});
});

describe('an answer with a stored attribute', () => {
	it('gives the peer the newest version over several steps', async () => {
		const own = await create(givenName('Ann'));
		await answerExisting(own);
		await succeed(own.id, 'Anna');
		const [newest] = await consumption.attributes.versions(own.id);
		const third = await succeed(newest?.id ?? '', 'Anne');
		expect(await answerExisting(third)).toMatchObject({
			kind: 'succeeded',
			predecessor: { content: givenName('Ann') },
			successor: { content: givenName('Anne'), shareInfo: { sourceAttribute: third.id } },
		});
	});

	it('names the third party of a relationship attribute', async () => {
		const content = proprietaryText('k', people.C);
		const shareInfo = { peer: people.C, requestReference: requestId('2') };
		const record = { id: attributeId('1'), createdAt: now, content, shareInfo };
		await storeAttribute(consumption, record);
		expect(await answerExisting(record)).toMatchObject({
			kind: 'shared',
			attribute: {
				shareInfo: {
					peer: people.B,
					sourceAttribute: record.id,
					thirdPartyAddress: people.C,
				},
			},
		});
	});

	it('refuses tags that it has already', async () => {
		const own = await create({ ...givenName('Ann'), tags: ['x:a'] });
		await expect(answerExisting(own, ['x:a'])).rejects.toMatchObject({
			code: 'error.runtime.requestDeserialization',
		});
	});
});

describe('an answer with a new version of what the peer has shared', () => {
	const answer = (predecessorId: string, successorContent: Attribute, successorId = 'a') => {
		const parts = { predecessorId, successorId: attributeId(successorId), successorContent };
		return inTransaction((tx) => applySuccessionAnswer(tx, parts, sharing, writer()));
	};
	const store = async (parts: Pick<AttributeRecord, 'content' | 'shareInfo'>): Promise<string> => {
		await storeAttribute(consumption, { id: attributeId('1'), ...parts });
		return attributeId('1');
	};

	it('is stored, and an event tells of it', async () => {
		const content = givenName('Bob', people.B);
		const id = await store({ content, shareInfo: sharing });
		const { successor } = await answer(id, givenName('Rob', people.B));
		expect(successor).toMatchObject({ succeeds: id, shareInfo: sharing });
		expect(await eventNames()).toEqual(['consumption.peerSharedAttributeSucceeded']);
	});

	it('keeps the third party, with events of both names', async () => {
		const shareInfo = { ...sharing, thirdPartyAddress: people.C };
		const id = await store({ content: proprietaryText('k', people.C), shareInfo });
		const changed = { ...proprietaryText('k', people.C), validFrom: now };
		expect((await answer(id, changed)).successor.shareInfo).toEqual(shareInfo);
		expect(await eventNames()).toEqual([
			'consumption.thirdPartyRelationshipAttributeSucceeded',
			'consumption.thirdPartyOwnedRelationshipAttributeSucceeded',
		]);
	});

	it.each<readonly [string, Pick<AttributeRecord, 'content' | 'shareInfo'>, Attribute]>([
		[
			'an attribute that somebody else has shared',
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
			'ToBeDeleted',
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
		'of an attribute of a third party may be that of %s as well (%s)',
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
