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
import { generationOf, requireReadableBy } from '../../../../core/model/content/generations';
import { identityValues } from '../../../../core/model/content/values/identity-values';
import { relationshipValues } from '../../../../core/model/content/values/relationship-values';
import { parseAs } from '../../../../core/model/content/parse';
import type { JsonObject } from '../../../../core/model/json';
import { contentVectors, inputOf, subjectOf, type ContentCase } from './content-vectors';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';

const unreadable = 'error.runtime.requestDeserialization';
const unknownType = 'error.runtime.unknownType';

/** Where content.md 2.2, 2.3, 2.4 and 14 recommend to be stricter than the official software. */
const stricter =
	/items-null-element|items-number-element|items-untyped-element|items-foreign-type|items-nested-group|item-untyped|to-null-element|cc-null-element|thirdParty-null-element|metadata-string|metadata-ill-typed|propertyHints-ill-typed|propertyHints-array|fileReference-long-id|^generic\/array$/;

const isStricter = ({ id, expected }: ContentCase): boolean =>
	stricter.test(id) || expected.serialize === 'throws';

/** Types of official software that nobody exchanges and that we leave out (content.md 2.5). */
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
	'v7/Mail-bodyFormat',
];

/** What version 6 drops and we keep, without a sign of version 7: we write it as well (content.md 11.1). */
const kept = ['Mail.min/bodyFormat-dropped'];

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
		expect(counts).toEqual([889, 1135, 34, 2, 14, 1]);
		expect(counts.reduce((sum, count) => sum + count)).toBe(cases.length);
	});

	it('are about every type that is known but those of newer wallets and of device onboarding', () => {
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
	it.each(named(accepted))('is read and written like theirs: %s', (_id, entry) => {
		const { text, code } = outcome(entry);
		expect(code).toBeUndefined();
		const { serialized, serializedLength, serializedSha256 } = entry.expected;
		if (serialized === undefined) {
			expect(text).toHaveLength(serializedLength ?? -1);
			expect(
				createHash('sha256')
					.update(text ?? '')
					.digest('hex'),
			).toBe(serializedSha256);
		} else {
			// A number given as a date is written in UTC, not with the zone of the process (content.md 2.3).
			expect(text).toBe(serialized.replace(/\+00:00"/g, 'Z"'));
		}
	});

	const unstable = 'ValueHintsOverride.full/without-propertyHints';
	it.each(named(accepted).filter(([id]) => id !== unstable))(
		'stays the same when it is read again: %s',
		(_id, entry) => {
			const once = read(entry);
			expect(JSON.stringify(parseReceivedContent(once))).toBe(JSON.stringify(once));
		},
	);
});

describe('content that official wallets refuse', () => {
	it.each(named(rejected))('is refused with their code: %s', (_id, entry) => {
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
});

describe('content about which we are stricter', () => {
	it.each(named(stricterCases))('is refused as unreadable: %s', (_id, entry) => {
		expect(outcome(entry).code).toBe(unreadable);
	});
});

describe('content of types that are left out', () => {
	it.each(named(byId(leftOut)))('is of an unknown type: %s', (_id, entry) => {
		expect(outcome(entry).code).toBe(unknownType);
	});
});

describe('content that only version 7 writes', () => {
	it.each(named(byId(dialectOfVersion7)))('is read and recognised: %s', (_id, entry) => {
		expect(outcome(entry).code).toBeUndefined();
		expect(generationOf(inputOf(entry) as JsonObject)).toBe(7);
	});

	it.each(named(byId(kept)))('is kept without a conclusion: %s', (_id, entry) => {
		expect(read(entry)['bodyFormat']).toBe('Markdown');
		expect(generationOf(inputOf(entry) as JsonObject)).toBeUndefined();
	});

	const refused = byId(dialectOfVersion7).filter(({ expected }) => expected.outcome === 'rejected');
	it.each(named(refused))('is known to be refused by version 6, and how: %s', (_id, entry) => {
		const check = () => requireReadableBy(6, read(entry), 'It');
		expect(check).toThrow(expect.objectContaining({ code: entry.expected.code }) as Error);
	});
});

/* What official wallets expect where we do otherwise. */
itReadsItsVectors(__filename, (path) => {
	const [list, index, member] = path.split('/');
	const entry = cases[Number(index)];
	return list === 'cases' && member === 'expected' && entry !== undefined && isOurs(entry);
});
