import { createHash } from 'node:crypto';
import { codeOf } from '../../../../core/base/errors';
import {
	builtContentTypes,
	findContentType,
	parseReceivedContent,
} from '../../../../core/model/content/content-registry';
import { parseAs } from '../../../../core/model/content/parse';
import type { JsonObject } from '../../../../core/model/json';
import { contentVectors, inputOf, subjectOf, type ContentCase } from './content-vectors';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';

const builtNames = builtContentTypes.map(({ name }) => name);
/** cases about parsing as such and about contents of version-7 peers */
const generalSubjects = ['generic', 'v7'];

/** Types that a later version builds: here they are known by name and kept as they are. */
const laterSubjects: Readonly<Record<string, readonly string[]>> = {
	'request items without rules yet': [
		'AuthenticationRequestItem',
		'ConsentRequestItem',
		'CreateAttributeRequestItem',
		'DeleteAttributeRequestItem',
		'FormFieldRequestItem',
		'FreeTextRequestItem',
		'ProposeAttributeRequestItem',
		'RegisterAttributeListenerRequestItem',
		'TransferFileOwnershipRequestItem',
	],
	'settings of form fields': [
		'BooleanFormFieldSettings',
		'DateFormFieldSettings',
		'DoubleFormFieldSettings',
		'IntegerFormFieldSettings',
		'RatingFormFieldSettings',
		'SelectionFormFieldSettings',
		'StringFormFieldSettings',
	],
	'answers to those items': [
		'AcceptResponseItem',
		'CreateAttributeAcceptResponseItem',
		'DeleteAttributeAcceptResponseItem',
		'FormFieldAcceptResponseItem',
		'FreeTextAcceptResponseItem',
		'ProposeAttributeAcceptResponseItem',
		'RegisterAttributeListenerAcceptResponseItem',
		'TransferFileOwnershipAcceptResponseItem',
	],
	notifications: [
		'Notification',
		'OwnSharedAttributeDeletedByOwnerNotificationItem',
		'PeerSharedAttributeDeletedByPeerNotificationItem',
		'PeerSharedAttributeSucceededNotificationItem',
		'ThirdPartyOwnedRelationshipAttributeDeletedByPeerNotificationItem',
		'ThirdPartyRelationshipAttributeDeletedByPeerNotificationItem',
	],
	'hints that are never exchanged, or only inside relationship attribute values': [
		'RenderHints',
		'ValueHintsOverride',
	],
	'token contents, which the token envelope reads': [
		'TokenContentFile',
		'TokenContentRelationshipTemplate',
	],
	'relationship attribute values': [
		'Consent',
		'ProprietaryBoolean',
		'ProprietaryCountry',
		'ProprietaryEMailAddress',
		'ProprietaryFileReference',
		'ProprietaryFloat',
		'ProprietaryHEXColor',
		'ProprietaryInteger',
		'ProprietaryJSON',
		'ProprietaryLanguage',
		'ProprietaryPhoneNumber',
		'ProprietaryString',
		'ProprietaryURL',
		'ProprietaryXML',
	],
	'identity attribute values other than the first four': [
		'Affiliation',
		'AffiliationOrganization',
		'AffiliationRole',
		'AffiliationUnit',
		'BirthCity',
		'BirthCountry',
		'BirthDate',
		'BirthDay',
		'BirthMonth',
		'BirthName',
		'BirthPlace',
		'BirthState',
		'BirthYear',
		'Citizenship',
		'City',
		'CommunicationLanguage',
		'Country',
		'DeliveryBoxAddress',
		'FaxNumber',
		'HonorificPrefix',
		'HonorificSuffix',
		'HouseNumber',
		'IdentityFileReference',
		'JobTitle',
		'MiddleName',
		'Nationality',
		'PersonName',
		'PhoneNumber',
		'PostOfficeBoxAddress',
		'Pseudonym',
		'SchematizedXML',
		'Sex',
		'State',
		'Street',
		'StreetAddress',
		'Website',
		'ZipCode',
	],
};

/** Cases about built types whose point is one that is not built. */
const notApplicable: Readonly<Record<string, string>> = {
	'IQLQuery.min/syntax-error': 'the syntax of the query language is not checked yet',
	'generic/as-BirthDay-bare-number': 'BirthDay is not built',
	'generic/as-BirthDay-string': 'BirthDay is not built',
	'generic/error-order-own-before-inherited': 'CreateAttributeRequestItem is not built',
	'generic/statement-is-a-type': 'left out on purpose (content.md 2.5)',
	'IdentityAttribute.min/value-hints-type':
		'its value is a type left out on purpose (content.md 2.5)',
	'v7/ConsentRequestItem-requiresInteraction': 'ConsentRequestItem is not built',
	'v7/PeerAttributeSucceededNotificationItem': 'notifications are not built',
	'v7/OwnAttributeDeletedByOwnerNotificationItem': 'notifications are not built',
	'v7/ForwardedAttributeDeletedByPeerNotificationItem': 'notifications are not built',
	'v7/PeerRelationshipAttributeDeletedByPeerNotificationItem': 'notifications are not built',
	'v7/TransferFileOwnershipRequestItem': 'TransferFileOwnershipRequestItem is not built',
	'v7/ShareAttributeRequestItem': 'we read the dialect of version 7, see below',
	'v7/ReadAttributeAcceptResponseItem-initialAttributePeer':
		'we read the dialect of version 7, see below',
};

const unreadable = 'error.runtime.requestDeserialization';

/** Where content.md 2.2, 2.3, 2.4 and 14 recommend to be stricter than the official software. */
const stricter =
	/items-null-element|items-number-element|items-untyped-element|items-foreign-type|items-nested-group|item-untyped|to-null-element|cc-null-element|thirdParty-null-element|metadata-string|metadata-ill-typed|propertyHints-ill-typed|propertyHints-array|^generic\/array$/;

function isStricter({ id, expected }: ContentCase): boolean {
	return (
		stricter.test(id) ||
		expected.serialize === 'throws' ||
		// Accidents of the official software: bad dates, and null where an adjustment runs.
		expected.code === 'error.runtime.unknown'
	);
}

function read(entry: ContentCase): JsonObject {
	const input = inputOf(entry);
	if (entry.as === undefined) return parseReceivedContent(input);
	const type = findContentType(entry.as);
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

const cases = contentVectors.cases.filter(
	({ id }) =>
		[...builtNames, ...generalSubjects].includes(subjectOf(id)) && notApplicable[id] === undefined,
);
const accepted = cases.filter(
	(entry) => entry.expected.outcome === 'accepted' && !isStricter(entry),
);
const rejected = cases.filter(
	(entry) => entry.expected.outcome === 'rejected' && !isStricter(entry),
);
const stricterCases = cases.filter(isStricter);

describe('the vectors of content types', () => {
	it('are all about types that are built, or that are listed as later ones', () => {
		const later = Object.values(laterSubjects).flat();
		const subjects = new Set(contentVectors.cases.map(({ id }) => subjectOf(id)));
		expect([...subjects].sort()).toEqual([...builtNames, ...generalSubjects, ...later].sort());
		expect(new Set([...builtNames, ...later]).size).toBe(builtNames.length + later.length);
	});

	it('contain every case that is listed as not applicable', () => {
		const ids = new Set(contentVectors.cases.map(({ id }) => id));
		expect(Object.keys(notApplicable).filter((id) => !ids.has(id))).toEqual([]);
	});

	it('keep types that are known by name only', () => {
		const later = Object.values(laterSubjects).flat();
		expect(later.filter((name) => findContentType(name) === undefined)).toEqual([]);
	});
});

describe('content that official wallets read', () => {
	it.each(accepted.map((entry) => [entry.id, entry] as const))(
		'is read and written like theirs: %s',
		(_id, entry) => {
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
		},
	);

	it.each(accepted.map((entry) => [entry.id, entry] as const))(
		'stays the same when it is read again: %s',
		(_id, entry) => {
			const once = read(entry);
			expect(JSON.stringify(parseReceivedContent(once))).toBe(JSON.stringify(once));
		},
	);
});

describe('content that official wallets refuse', () => {
	it.each(rejected.map((entry) => [entry.id, entry] as const))(
		'is refused with their code: %s',
		(_id, entry) => {
			const { code, field } = outcome(entry);
			expect(code).toBe(entry.expected.code);
			const member = /^[A-Za-z]+\.([A-Za-z]+)$/.exec(entry.expected.where ?? '')?.[1];
			if (member !== undefined && !Array.isArray(inputOf(entry))) {
				expect(String(field).split('.')).toContain(member);
			}
		},
	);
});

describe('content about which we are stricter', () => {
	it.each(stricterCases.map((entry) => [entry.id, entry] as const))(
		'is refused as unreadable: %s',
		(_id, entry) => {
			expect(outcome(entry).code).toBe(unreadable);
		},
	);
});

const casesById = new Map(cases.map((entry) => [entry.id, entry]));
const basesInUse = new Set(cases.map(({ base }) => base));

/* Cases of types that are not built, and what official wallets expect where we are stricter. */
itReadsItsVectors(__filename, (path) => {
	const [list = '', key = '', member] = path.split('/');
	if (list === 'bases') return !basesInUse.has(key);
	const entry = casesById.get(contentVectors.cases[Number(key)]?.id ?? '');
	return entry === undefined || (member === 'expected' && isStricter(entry));
});
