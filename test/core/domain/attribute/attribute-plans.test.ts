import { systemRandom } from '../../../../core/base/random';
import { AttributeService } from '../../../../core/domain/attribute/attribute-service';
import { Observers } from '../../../../core/domain/observers';
import { findPeerShared } from '../../../../core/domain/attribute/attribute-lookup';
import { newestSharedVersion } from '../../../../core/domain/attribute/succession/attribute-versions';
import type { AttributeRecord } from '../../../../core/model/record/attribute';
import type { Store } from '../../../../core/store/store';
import { costly, openPlannedStore, type PlannedStore } from '../../../support/query-plans';
import {
	attributeId,
	givenName,
	now,
	nowMs,
	people,
	proprietaryText,
} from '../request/consumption-fixtures';

/*
 * With ten thousand attributes nothing may look at all of them, unless it is asked for most of them. The
 * plans of SQLite do not depend on their number. What lists can be asked for: `list-plans`.
 */

const count = 60;
const peers = Array.from({ length: 20 }, (_, index) => `${people.B}${index}`);
const peerAt = (index: number): string => peers[index % peers.length] ?? '';

/** Repository attributes, shared copies of them, and relationship attributes, a third of each. */
function attributeAt(index: number): AttributeRecord {
	const id = attributeId(String(index));
	const shareInfo = { peer: peerAt(index), requestReference: `REQ${index}` };
	const createdAt = now;
	switch (index % 3) {
		case 0:
			return { id, createdAt, content: { ...givenName(`Name ${index}`), tags: [`x:${index}`] } };
		case 1: {
			const sourceAttribute = attributeId(String(index - 1));
			const content = givenName(`Name ${index - 1}`);
			return { id, createdAt, content, shareInfo: { ...shareInfo, sourceAttribute } };
		}
		default: {
			const content = proprietaryText(`key ${index}`, peerAt(index));
			return { id, createdAt, content, shareInfo };
		}
	}
}

async function fill(store: Store): Promise<void> {
	await store.transact(async (tx) => {
		for (let index = 0; index < count; index++) {
			await tx.attributes.insert(attributeAt(index), undefined);
		}
	});
}

let planned: PlannedStore;
let attributes: AttributeService;
beforeEach(async () => {
	planned = await openPlannedStore();
	await fill(planned.store);
	attributes = new AttributeService({
		store: planned.store,
		account: { address: people.A },
		clock: { now: () => nowMs },
		random: systemRandom,
		setsDefaults: true,
		observers: new Observers(),
	});
});
afterEach(() => planned.store.close());

async function expectSearches(work: () => Promise<unknown>): Promise<void> {
	const plans = await planned.plansOf(work);
	expect(costly(plans).filter((step) => step.startsWith('SCAN'))).toEqual([]);
	expect(plans.some((step) => /^SEARCH attributes/.test(step))).toBe(true);
}

const repositoryId = attributeId('0');
describe('ten thousand attributes', () => {
	it('are listed as no shared copies without a look at the copies', async () => {
		await expectSearches(() => attributes.lists.all({ query: { shareInfo: '!' } }));
	});

	it('are listed as valid ones, oldest first, without sorting them', async () => {
		const valid = { onlyValid: true, limit: 50 };
		const plans = await planned.plansOf(() => attributes.lists.all(valid));
		expect(plans).toEqual(['SCAN attributes USING INDEX attributes_by_created_at']);
	});

	const byTypeAndOwner = 'attributes_by_value_type_owner_peer';
	it.each<readonly [string, string, () => Promise<unknown>]>([
		[
			'are listed by type',
			byTypeAndOwner,
			() => attributes.lists.repository({ query: { 'content.value.@type': 'Surname' } }),
		],
		[
			'answer a query',
			byTypeAndOwner,
			() =>
				attributes.queries.identity({
					query: { '@type': 'IdentityAttributeQuery', valueType: 'Surname' },
				}),
		],
		[
			'are looked at for duplicates',
			'attributes_by_canonical_value',
			() => attributes.canCreate({ content: { value: { '@type': 'GivenName', value: 'New' } } }),
		],
	])('that are our own %s without a look at those of other types', async (_what, index, work) => {
		const plans = await planned.plansOf(work);
		const used = plans.flatMap((step) => / INDEX (\S+)/.exec(step)?.[1] ?? []);
		expect(new Set(used)).toEqual(new Set([index]));
		expect(costly(plans).filter((step) => step.startsWith('SCAN'))).toEqual([]);
	});

	const peer = peerAt(1);
	it.each<readonly [string, () => Promise<unknown>]>([
		['own ones that are no copies', () => attributes.lists.repository()],
		['own ones that a peer has', () => attributes.lists.ownShared({ peer })],
		['those of a peer', () => attributes.lists.peerShared({ peer })],
		['those of a relationship', () => attributes.lists.sharedWith(peer, {}, {})],
		['what a peer has shared', () => attributes.peerAttributes(peer)],
		['all versions', () => attributes.versions(repositoryId)],
		['all copies', () => attributes.sharedVersions(repositoryId)],
		['the copies of a peer', () => attributes.sharedVersions(repositoryId, { peers: [peer] })],
	])('find %s', async (_what, work) => {
		await expectSearches(work);
	});

	it.each<readonly [string, () => Promise<unknown>]>([
		[
			'an IdentityAttributeQuery',
			() =>
				attributes.queries.identity({
					query: { '@type': 'IdentityAttributeQuery', valueType: 'GivenName', tags: ['x:3'] },
				}),
		],
		['an IQLQuery by type', () => attributes.queries.iql({ query: { queryString: 'Surname' } })],
		['an IQLQuery by tag', () => attributes.queries.iql({ query: { queryString: '#x:3' } })],
		[
			'a RelationshipAttributeQuery',
			() =>
				attributes.queries.relationship({
					query: {
						'@type': 'RelationshipAttributeQuery',
						key: 'key 2',
						owner: peerAt(2),
						attributeCreationHints: {
							title: 'T',
							valueType: 'ProprietaryString',
							confidentiality: 'public',
						},
					},
				}),
		],
		[
			'a ThirdPartyRelationshipAttributeQuery',
			() =>
				attributes.queries.thirdParty({
					query: {
						'@type': 'ThirdPartyRelationshipAttributeQuery',
						key: 'key 2',
						owner: 'thirdParty',
						thirdParty: [peerAt(2)],
					},
				}),
		],
	])('answer %s', async (_what, work) => {
		await expectSearches(work);
	});

	it.each<readonly [string, () => Promise<unknown>]>([
		[
			'is created',
			() => attributes.create({ content: { value: { '@type': 'GivenName', value: 'New' } } }),
		],
		[
			'is succeeded',
			() => attributes.succeed(repositoryId, { successorContent: { value: name('Newer') } }),
		],
		['is deleted', () => attributes.delete(attributeId('3'))],
		['becomes the default one', () => attributes.changeDefault(attributeId('6'))],
		[
			'is looked for among what a peer has shared',
			() => planned.store.read((tx) => findPeerShared(tx, name('x'), peer)),
		],
		[
			'is compared with what a peer has of it',
			() =>
				planned.store.read(async (tx) => {
					const entry = await tx.attributes.get(attributeId('9'));
					if (entry !== undefined) await newestSharedVersion(tx, entry.record, peer);
				}),
		],
	])('are not looked at when one %s', async (_what, work) => {
		await expectSearches(work);
	});
});

function name(value: string) {
	return { '@type': 'GivenName', value };
}
