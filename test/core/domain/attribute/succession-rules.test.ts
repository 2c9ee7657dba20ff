import {
	commonProblem,
	kindProblem,
	type SuccessionKind,
} from '../../../../core/domain/attribute/succession/succession-rules';
import { successionErrors } from '../../../../core/domain/attribute/succession/succession-errors';
import type { AttributeRecord } from '../../../../core/model/record/attribute';
import {
	attributeId,
	givenName,
	now,
	people,
	proprietaryText,
} from '../request/consumption-fixtures';

/* docs/protocol/consumption.md 8.6 */

const record = (parts: Partial<AttributeRecord> = {}): AttributeRecord => ({
	id: attributeId('1'),
	createdAt: now,
	content: givenName('Ann'),
	...parts,
});
const sharedWithB = { peer: people.B, requestReference: 'REQ' };
const identity = record({ content: givenName('Anna') });
const deleted = (deletionStatus: string) => ({ deletionStatus, deletionDate: now });

describe('any succession', () => {
	it.each<readonly [string, Partial<AttributeRecord>, Partial<AttributeRecord>, string]>([
		['has a successor', { succeededBy: 'x' }, {}, 'cannotSucceedAttributesWithASuccessor'],
		['is a part', { parentId: 'x' }, {}, 'cannotSucceedChildOfComplexAttribute'],
		[
			'is deleted',
			{ deletionInfo: deleted('DeletedByPeer') },
			{},
			'cannotSucceedAttributesWithDeletionInfo',
		],
		['stays the same', {}, { content: givenName('Ann') }, 'successionMustChangeContent'],
		['changes hands', {}, { content: givenName('Ann', people.B) }, 'successionMustNotChangeOwner'],
		[
			'becomes a relationship attribute',
			{},
			{ content: proprietaryText('k', people.A) },
			'successionMustNotChangeContentType',
		],
		[
			'changes its type',
			{},
			{ content: { ...givenName('x'), value: { '@type': 'Surname', value: 'x' } } },
			'successionMustNotChangeValueType',
		],
	])('is refused when the attribute %s', (_what, predecessor, successor, problem) => {
		const candidates = {
			predecessor: record(predecessor),
			successor: record({ ...identity, ...successor }),
		};
		expect(commonProblem(candidates)).toBe(problem);
	});

	it.each(['DeletionRequestSent', 'DeletionRequestRejected'])('may follow %s', (status) => {
		const predecessor = record({ deletionInfo: deleted(status) });
		expect(commonProblem({ predecessor, successor: identity })).toBeUndefined();
	});
});

const text = (key: string, owner: string, more: Partial<AttributeRecord['shareInfo']> = {}) =>
	record({
		content: proprietaryText(key, owner),
		shareInfo: { ...sharedWithB, ...more },
	});
const copy = (value: string, source: string) =>
	record({ content: givenName(value), shareInfo: { ...sharedWithB, sourceAttribute: source } });
const peerShared = record({ content: givenName('Bob', people.B), shareInfo: sharedWithB });
const withC = { ...sharedWithB, peer: people.C };
const source = (value: string) => record({ content: givenName(value) });

describe('a succession by kind', () => {
	it.each<readonly [SuccessionKind, AttributeRecord, AttributeRecord]>([
		['repository', record(), identity],
		['ownSharedRelationship', text('k', people.A), text('k', people.A)],
		['peerSharedIdentity', peerShared, peerShared],
		['peerSharedRelationship', text('k', people.B), text('k', people.B)],
		[
			'thirdParty',
			text('k', people.C, { thirdPartyAddress: people.C }),
			text('k', people.C, { thirdPartyAddress: people.C }),
		],
	])('is fine between two that are %s', (kind, predecessor, successor) => {
		const candidates = { predecessor, successor, ownAddress: people.A };
		expect(kindProblem(kind, candidates)).toBeUndefined();
	});

	it.each<readonly [SuccessionKind, AttributeRecord, AttributeRecord, string]>([
		['repository', peerShared, identity, 'predecessorIsNotRepositoryAttribute'],
		['repository', record(), peerShared, 'successorIsNotRepositoryAttribute'],
		[
			'ownSharedIdentity',
			text('k', people.A),
			copy('Ann', 'x'),
			'predecessorIsNotOwnSharedIdentityAttribute',
		],
		[
			'ownSharedIdentity',
			copy('Ann', 'x'),
			{ ...copy('Ann', 'x'), shareInfo: withC },
			'successionMustNotChangePeer',
		],
		[
			'ownSharedIdentity',
			copy('Ann', 'x'),
			record({ content: givenName('Anna'), shareInfo: sharedWithB }),
			'successorSourceAttributeIsNotSpecified',
		],
		[
			'ownSharedIdentity',
			copy('Ann', 'x'),
			copy('Anna', 'x'),
			'successorSourceAttributeDoesNotExist',
		],
		[
			'ownSharedRelationship',
			text('k', people.B),
			text('k', people.A),
			'predecessorIsNotOwnSharedRelationshipAttribute',
		],
		[
			'ownSharedRelationship',
			text('k', people.A),
			text('other', people.A),
			'successionMustNotChangeKey',
		],
		['peerSharedIdentity', identity, peerShared, 'predecessorIsNotPeerSharedIdentityAttribute'],
		[
			'peerSharedIdentity',
			peerShared,
			{ ...peerShared, content: givenName('Bob', people.C), shareInfo: withC },
			'successionMustNotChangePeer',
		],
		[
			'peerSharedRelationship',
			peerShared,
			text('k', people.B),
			'predecessorIsNotPeerSharedRelationshipAttribute',
		],
		[
			'thirdParty',
			text('k', people.B),
			text('k', people.B),
			'predecessorIsNotThirdPartyRelationshipAttribute',
		],
		[
			'thirdParty',
			text('k', people.C, { thirdPartyAddress: people.C }),
			text('k', people.C, { thirdPartyAddress: people.D }),
			'successionMustNotChangeThirdParty',
		],
	])('%s is refused', (kind, predecessor, successor, problem) => {
		const candidates = { predecessor, successor, ownAddress: people.A };
		expect(kindProblem(kind, candidates)).toBe(problem);
	});
});

describe('the next version of a copy', () => {
	const candidates = {
		predecessor: copy('Ann', 'x'),
		successor: copy('Anna', 'y'),
		ownAddress: people.A,
	};

	it.each([
		[
			'has another content than its source',
			{ ofPredecessor: source('Ann'), ofSuccessor: source('Other'), areInOrder: true },
			'successorSourceContentIsNotEqualToCopyContent',
		],
		[
			'has a source that is a copy itself',
			{ ofPredecessor: source('Ann'), ofSuccessor: copy('Anna', 'z'), areInOrder: true },
			'successorSourceAttributeIsNotRepositoryAttribute',
		],
		[
			'is not made of a later version',
			{ ofPredecessor: source('Ann'), ofSuccessor: source('Anna'), areInOrder: false },
			'successorSourceDoesNotSucceedPredecessorSource',
		],
		[
			'follows a version that differs from its source',
			{ ofPredecessor: source('Other'), ofSuccessor: source('Anna'), areInOrder: true },
			'predecessorSourceContentIsNotEqualToCopyContent',
		],
		[
			'follows one whose source is a copy itself',
			{ ofPredecessor: copy('Ann', 'z'), ofSuccessor: source('Anna'), areInOrder: true },
			'predecessorSourceAttributeIsNotRepositoryAttribute',
		],
	])('is refused when it %s', (_what, sources, problem) => {
		expect(kindProblem('ownSharedIdentity', { ...candidates, sources })).toBe(problem);
	});

	it('need not be compared with a source that was deleted', () => {
		const sources = { ofPredecessor: undefined, ofSuccessor: source('Anna'), areInOrder: false };
		expect(kindProblem('ownSharedIdentity', { ...candidates, sources })).toBeUndefined();
	});
});

it('every problem has an error of its own name', () => {
	const { create: _create, ...errors } = successionErrors;
	for (const [name, { code }] of Object.entries(errors)) {
		expect(code).toBe(`error.consumption.attributes.${name}`);
	}
});
