import { createHash } from 'node:crypto';
import { codeOf } from '../../../../core/base/errors';
import {
	contentTypes,
	parseReceivedContent,
} from '../../../../core/model/content/content-registry';
import {
	isKnownContentType,
	version7NotificationItemTypes,
	version7RequestItemTypes,
	version7TokenContentTypes,
	version7ValueTypes,
} from '../../../../core/model/content/content-types';
import {
	identityValueTypes,
	relationshipValueTypes,
} from '../../../../core/model/content/values/value-types';
import { obstacleFor } from '../../../../core/model/content/generations';
import { versionShownBy } from '../../../../core/model/content/version-evidence';
import { generationOf } from '../../../../core/model/peer-version';
import { identityValues } from '../../../../core/model/content/values/identity-values';
import { relationshipValues } from '../../../../core/model/content/values/relationship-values';
import { parseAs } from '../../../../core/model/content/parse';
import type { JsonObject } from '../../../../core/model/json';
import { contentVectors, inputOf, subjectOf, type ContentCase } from './content-vectors';
import { failingRows } from '../../../support/failing-rows';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';

const unreadable = 'error.runtime.requestDeserialization';
const unknownType = 'error.runtime.unknownType';
const codes = { notReadable: unreadable, unknownType } as const;

/** Where content.md 2.2, 2.3, 2.4 and 14 recommend to be stricter than the official software. */
const stricter =
	/items-null-element|items-number-element|items-untyped-element|items-foreign-type|items-nested-group|item-untyped|to-null-element|cc-null-element|thirdParty-null-element|metadata-string|metadata-ill-typed|propertyHints-ill-typed|propertyHints-array|fileReference-long-id|^generic\/array$/;

const isStricter = ({ id, expected }: ContentCase): boolean =>
	stricter.test(id) || expected.serialize === 'throws';

/** Types of official software that wallets do not exchange and that we leave out (content.md 2.5). */
const leftOut = ['generic/statement-is-a-type', 'IdentityAttribute.min/value-hints-type'];

/** What only version 7 writes: version 6 gives the code, we read it (content.md 13.2). */
const dialectOfVersion7 = [
	'v7/ShareAttributeRequestItem',
	'v7/PeerAttributeSucceededNotificationItem',
	'v7/OwnAttributeDeletedByOwnerNotificationItem',
	'v7/ForwardedAttributeDeletedByPeerNotificationItem',
	'v7/PeerRelationshipAttributeDeletedByPeerNotificationItem',
	'v7/IdentityAttribute-MaritalStatus',
	'v7/IdentityAttributeQuery-MaritalStatus',
	'v7/IdentityAttribute-BankAccount',
	'v7/IdentityAttributeQuery-BankAccount',
	'v7/IdentityAttribute-SchematizedJSON',
	'v7/IdentityAttributeQuery-SchematizedJSON',
	'v7/ShareCredentialOfferRequestItem',
	'v7/ReadAttributeAcceptResponseItem-initialAttributePeer',
	'v7/ConsentRequestItem-requiresInteraction',
	'v7/Mail-bodyFormat',
];

/** What version 6 drops and we keep, without a sign of version 7: we write it as well (content.md 11.1). */
const kept = ['Mail.min/bodyFormat-dropped', 'v7/ShareAttributeRequestItem-both-ids'];

/** What only version 7 knows and we may write to a peer of unknown generation (content.md 13.4). */
const isWrittenInDoubt = (id: string): boolean =>
	/MaritalStatus|BankAccount|SchematizedJSON|ShareCredentialOffer/.test(id);

function read(entry: ContentCase): JsonObject {
	const input = inputOf(entry);
	if (entry.as === undefined) return parseReceivedContent(input);
	const type = contentTypes().get(entry.as);
	if (type === undefined) throw new Error(`the vector names the unknown type ${entry.as}`);
	return parseAs(type, input, entry.as);
}

function outcome(entry: ContentCase): { text?: string; code?: string; field?: unknown } {
	try {
		return { text: JSON.stringify(read(entry)) };
	} catch (error) {
		const { field } = (error as { facts?: { field?: unknown } }).facts ?? {};
		return { code: codeOf(error) ?? String(error), field };
	}
}

const isOurs = (entry: ContentCase): boolean =>
	isStricter(entry) || [...leftOut, ...dialectOfVersion7, ...kept].includes(entry.id);
const cases = contentVectors.cases;
const named = (entries: readonly ContentCase[]) =>
	entries.map((entry) => [entry.id, entry] as const);
const accepted = cases.filter((entry) => entry.expected.outcome === 'accepted' && !isOurs(entry));
const rejected = cases.filter((entry) => entry.expected.outcome === 'rejected' && !isOurs(entry));
const stricterCases = cases.filter(isStricter);
const byId = (ids: readonly string[]) => cases.filter(({ id }) => ids.includes(id));

describe('the vectors of content types', () => {
	it('are all looked at, and few of them judged in another way', () => {
		expect(cases).toHaveLength(2075);
		expect(byId(leftOut)).toHaveLength(leftOut.length);
		expect(byId(dialectOfVersion7)).toHaveLength(dialectOfVersion7.length);
		const ours = [leftOut, dialectOfVersion7, kept].map(byId);
		const lists = [accepted, rejected, stricterCases, ...ours];
		const counts = lists.map(({ length }) => length);
		expect(counts).toEqual([887, 1135, 34, 2, 15, 2]);
		expect(counts.reduce((sum, count) => sum + count)).toBe(cases.length);
	});

	it('are about every type that is known but the ones of newer wallets and of device onboarding', () => {
		const subjects = new Set(cases.map(({ id }) => subjectOf(id)));
		const unseen = [...contentTypes().keys()].filter((type) => !subjects.has(type));
		const expected = [
			...version7NotificationItemTypes,
			...version7RequestItemTypes,
			...version7ValueTypes,
			...version7TokenContentTypes,
			'RenderHintsOverride',
			'TokenContentDeviceSharedSecret',
		];
		expect(unseen.sort()).toEqual(expected.sort());
	});

	it('name no type that is not in the list of known types', () => {
		const names = [...contentTypes().keys()];
		expect(names.filter((name) => !isKnownContentType(name))).toEqual([]);
		expect(Object.keys(identityValues()).sort()).toEqual([...identityValueTypes]);
		expect(Object.keys(relationshipValues()).sort()).toEqual([...relationshipValueTypes]);
	});
});

describe('content that official wallets read', () => {
	// shows generation-7 2: all others; generation-7 7: Response, groups, Reject-; others
	it('is read and written like theirs', () => {
		const failing = failingRows(named(accepted), (entry) => {
			const { text, code } = outcome(entry);
			expect(code).toBeUndefined();
			const { serialized, serializedLength, serializedSha256 } = entry.expected;
			if (serialized === undefined) {
				expect(text).toHaveLength(serializedLength ?? -1);
				const hash = createHash('sha256').update(text ?? '');
				expect(hash.digest('hex')).toBe(serializedSha256);
			} else {
				// A number given as a date is written in UTC, not with the zone of the process (content.md 2.3).
				expect(text).toBe(serialized.replace(/\+00:00"/g, 'Z"'));
			}
		});
		expect(failing).toEqual([]);
	});

	it('stays the same when it is read again', () => {
		const unstable = 'ValueHintsOverride.full/without-propertyHints';
		const stable = named(accepted).filter(([id]) => id !== unstable);
		const failing = failingRows(stable, (entry) => {
			const once = read(entry);
			expect(JSON.stringify(parseReceivedContent(once))).toBe(JSON.stringify(once));
		});
		expect(failing).toEqual([]);
	});
});

it('content that official wallets refuse is refused with their code', () => {
	const failing = failingRows(named(rejected), (entry) => {
		const { code, field } = outcome(entry);
		expect(code).toBe(entry.expected.code);
		// Parts of a reference are no members: it is one text to us.
		const member = /^(?!FileReference)[A-Za-z]+\.([A-Za-z]+)$/.exec(
			entry.expected.where ?? '',
		)?.[1];
		if (member !== undefined && !Array.isArray(inputOf(entry))) {
			expect(String(field).split('.')).toContain(member);
		}
	});
	expect(failing).toEqual([]);
});

it('content about which we are stricter is refused as unreadable', () => {
	const readable = stricterCases.filter((entry) => outcome(entry).code !== unreadable);
	expect(readable.map(({ id }) => id)).toEqual([]);
});

it('content of types that are left out is of an unknown type', () => {
	expect(byId(leftOut).map((entry) => outcome(entry).code)).toEqual(leftOut.map(() => unknownType));
});

describe('content that only version 7 writes', () => {
	it('is read and recognised', () => {
		const failing = failingRows(named(byId(dialectOfVersion7)), (entry) => {
			expect(outcome(entry).code).toBeUndefined();
			const generation = isWrittenInDoubt(entry.id) ? undefined : 7;
			expect(generationOf(versionShownBy(inputOf(entry) as JsonObject))).toBe(generation);
		});
		expect(failing).toEqual([]);
	});

	it.each(named(byId(kept)))('is kept, and does not show version 7: %s', (_id, entry) => {
		const input = inputOf(entry) as JsonObject;
		expect(read(entry)).toMatchObject(input);
		expect(versionShownBy(input)).not.toBe(7);
	});

	it('is known to be refused by version 6, and how', () => {
		const refused = byId(dialectOfVersion7).filter(
			({ expected }) => expected.outcome === 'rejected',
		);
		const failing = failingRows(named(refused), (entry) => {
			const { failure } = obstacleFor(6, read(entry)) ?? {};
			expect(codes[failure ?? 'notReadable']).toBe(entry.expected.code);
		});
		expect(failing).toEqual([]);
	});
});

/* What official wallets expect where we do otherwise. */
itReadsItsVectors(__filename, (path) => {
	const [list, index, member] = path.split('/');
	const entry = cases[Number(index)];
	return list === 'cases' && member === 'expected' && entry !== undefined && isOurs(entry);
});
