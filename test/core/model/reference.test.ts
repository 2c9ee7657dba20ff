/* eslint-disable @n8n/community-nodes/no-hardcoded-secrets -- made up for the tests */
import { readLoadableReference, requireLoadable } from '../../../core/model/loadable-reference';
import { looksLikeReference } from '../../../core/model/loadable-reference';
import type { LoadTarget } from '../../../core/model/loadable-reference';
import { kindsLoadable } from '../../../core/model/loadable-reference';
import { readPasswordPart, writePasswordPart } from '../../../core/model/password-protection';
import type { SharedPasswordProtection } from '../../../core/model/password-protection';
import type { Reference, ReferenceKind } from '../../../core/model/reference';
import {
	isIntendedFor,
	parseReference,
	parseReferenceOfKind,
	referenceKinds,
	truncateForIdentity,
	writeAppReference,
	writeReferenceUrl,
	writeTruncatedReference,
} from '../../../core/model/reference';
import { codeThrownBy, textOfForm } from '../crypto/vector-files';
import { readVectors } from '../../support/vectors';
import { itReadsItsVectors } from '../../support/reads-its-vectors';

interface Fields extends Omit<Reference, 'kind'> {
	algorithm: 3;
}

type ApiSchema = Record<
	'RelationshipTemplates/Peer' | 'Tokens/Peer' | 'Files/Peer' | 'any kind (no Connector route)',
	boolean
>;

interface Case {
	description: string;
	input: string;
	fields: Fields;
	error: string;
	apiSchema: ApiSchema;
}

const vectors = readVectors<{
	produce: Array<{
		kind: ReferenceKind;
		variant: string;
		fields: Fields;
		plain: string;
		truncated: string;
		urlFragmentPlain?: string;
		url?: string;
		urlWithApp?: string;
		apiSchema: ApiSchema;
		apiSchemaUrl?: ApiSchema;
		jsonInsideMessages?: string;
	}>;
	parse: Case[];
	reject: Case[];
	typedReject: Array<Case & { expectedKind: ReferenceKind }>;
	sharedPasswordPart: Array<{
		input: string;
		fields: SharedPasswordProtection | null;
		roundTrip: string;
	}>;
	tolerated: Case[];
}>('references.json');

const withoutKind = ({ kind: _, ...fields }: Reference): object => fields;
const withoutAlgorithm = ({ algorithm: _, ...fields }: Fields): object => fields;

const loadableAs = (text: string): ApiSchema => ({
	'RelationshipTemplates/Peer': looksLikeReference(text, kindsLoadable('template')),
	'Tokens/Peer': looksLikeReference(text, kindsLoadable('token')),
	'Files/Peer': looksLikeReference(text, kindsLoadable('file')),
	'any kind (no Connector route)': looksLikeReference(text, referenceKinds),
});

describe('writing a reference', () => {
	it.each(vectors.produce)('of a $kind, $variant, gives the official text', (vector) => {
		expect(textOfForm(writeTruncatedReference(vector.fields))).toBe(vector.plain);
		expect(writeTruncatedReference(vector.fields)).toBe(vector.truncated);
		expect(writeAppReference(vector.fields)).toBe(`nmshd://tr#${vector.truncated}`);
		expect(withoutKind(parseReference(vector.truncated))).toEqual(withoutAlgorithm(vector.fields));
		expect(parseReference(vector.truncated).kind).toBe(vector.kind);
		expect(loadableAs(vector.truncated)).toEqual(vector.apiSchema);
	});

	it.each(vectors.produce)('of a $kind, $variant, as link gives the official text', (vector) => {
		const { url, urlWithApp, fields } = vector;
		if (url === undefined) {
			expect(codeThrownBy(() => writeReferenceUrl(fields))).toBe(
				'error.core-types.missingBackboneBaseUrl',
			);
			return;
		}
		expect(writeReferenceUrl(fields)).toBe(url);
		expect(textOfForm(new URL(url).hash.slice(1))).toBe(vector.urlFragmentPlain);
		expect(writeReferenceUrl(fields, 'myApp')).toBe(urlWithApp);
		expect(withoutKind(parseReference(url))).toEqual(withoutAlgorithm(fields));
		expect(loadableAs(url)).toEqual(vector.apiSchemaUrl);
	});

	it('shortens an address to the hint', () => {
		const address = 'did:e:localhost:dids:99eb14c41a68d5583aa004';
		expect(truncateForIdentity(address)).toBe('a004');
		expect(isIntendedFor({ forIdentityTruncated: 'a004' }, address)).toBe(true);
		expect(isIntendedFor({ forIdentityTruncated: 'a005' }, address)).toBe(false);
		expect(isIntendedFor({}, address)).toBe(true);
	});
});

describe('reading a reference', () => {
	it.each(vectors.parse)('accepts: $description', (vector) => {
		expect(withoutKind(parseReference(vector.input))).toEqual(withoutAlgorithm(vector.fields));
		expect(loadableAs(vector.input)).toEqual(vector.apiSchema);
	});

	/* Ours: newer runtimes write them (crypto-and-identity 19). */
	const acceptedByUs: Record<string, SharedPasswordProtection> = {
		'four password parts': {
			passwordType: 'pw',
			salt: 'Ulc9UoSrgIJDdUoNZCJqKg',
			passwordLocationIndicator: 5,
			password: '6',
		},
		'location empty': { passwordType: 'pw', salt: 'Ulc9UoSrgIJDdUoNZCJqKg' },
	};
	/* The official parser fails without a code of its own in these; only the refusal is promised. */
	const codesOfOurs: Record<string, string> = {
		Error: 'error.core-types.invalidTruncatedReference',
		ParsingError: 'error.runtime.requestDeserialization',
	};

	it.each(vectors.reject)('refuses, or accepts where ours differs: $description', (vector) => {
		expect(loadableAs(vector.input)).toEqual(vector.apiSchema);
		const accepted = acceptedByUs[vector.description];
		if (accepted !== undefined) {
			expect(parseReference(vector.input).passwordProtection).toEqual(accepted);
			return;
		}
		const keyIsPadded = vector.description === 'key padded';
		const expected = keyIsPadded
			? 'error.crypto.encryption.wrongSecretKey'
			: (codesOfOurs[vector.error] ?? vector.error);
		expect(codeThrownBy(() => parseReference(vector.input))).toBe(expected);
	});

	it.each(vectors.typedReject)('of another kind is refused: $description', (vector) => {
		expect(codeThrownBy(() => parseReferenceOfKind(vector.input, vector.expectedKind))).toBe(
			'error.runtime.requestDeserialization',
		);
	});

	/* Sloppy inputs that the official parser lets through; whether to accept them is a free choice. */
	const choices: Record<string, string | Partial<Reference>> = {
		'three components with base url': { backboneBaseUrl: 'https://backbone.example.com' },
		'algorithm with trailing garbage is read as integer prefix':
			'error.core-types.invalidTruncatedReference',
		'location indicator with trailing garbage is read as integer prefix':
			'error.core-types.invalidTruncatedReference',
		'url fragment with extra components ignores them': { id: 'RLTabcdefghijklmnopq' },
		'second @ in the id part: everything after it is dropped': {
			backboneBaseUrl: 'https://user@example.com',
		},
		'untyped parser accepts: url without /r/': 'error.runtime.requestDeserialization',
		'untyped parser accepts: url with trailing slash': 'error.runtime.requestDeserialization',
		'untyped parser accepts: id empty': 'error.runtime.requestDeserialization',
		'untyped parser accepts: short id': 'error.runtime.requestDeserialization',
		'untyped parser accepts: id with unknown prefix': 'error.runtime.requestDeserialization',
	};

	it.each(vectors.tolerated)('decides by our choice: $description', (vector) => {
		expect(loadableAs(vector.input)).toEqual(vector.apiSchema);
		const choice = choices[vector.description];
		if (typeof choice === 'string') {
			expect(codeThrownBy(() => parseReference(vector.input))).toBe(choice);
		} else {
			expect(parseReference(vector.input)).toMatchObject(choice ?? { id: 'no choice made' });
		}
	});

	it('refuses text that is far too long before looking at it', () => {
		const text = 'UkxU'.repeat(1_000_000);
		expect(codeThrownBy(() => parseReference(text))).toBe(
			'error.core-types.invalidTruncatedReference',
		);
		expect(codeThrownBy(() => readLoadableReference(text, 'template'))).toBe(
			'error.runtime.validation.invalidPropertyValue',
		);
	});
});

// shows generation-7 11: password part of a reference
describe('the password part of a reference', () => {
	it.each(vectors.sharedPasswordPart)('$input is read and written', (vector) => {
		const protection = readPasswordPart(vector.input);
		expect(protection ?? null).toEqual(vector.fields);
		expect(writePasswordPart(protection)).toBe(vector.roundTrip);
	});

	it('never writes the password that a newer runtime put in', () => {
		const part = 'pw&Ulc9UoSrgIJDdUoNZCJqKg==&&sec&ret';
		const protection = readPasswordPart(part);
		expect(protection?.password).toBe('sec&ret');
		expect(writePasswordPart(protection)).toBe('pw&Ulc9UoSrgIJDdUoNZCJqKg==');
	});
});

describe('the recorded references of transport-misc.json', () => {
	interface Recorded {
		name: string;
		parsedAs: string;
		input: string;
		ok?: {
			id: string;
			key: string;
			backboneBaseUrl?: string;
			forIdentityTruncated?: string;
			passwordType?: string;
			saltBase64?: string;
			passwordLocationIndicator?: number;
		};
		error?: string;
		reserialized?: string;
		url?: string;
	}
	const { references } = readVectors<{ references: Recorded[] }>('transport-misc.json');
	const kindOf: Record<string, ReferenceKind> = {
		RelationshipTemplateReference: 'template',
		TokenReference: 'token',
		FileReference: 'file',
	};
	/* An id that cannot exist must not reach the Backbone. */
	const refusedByUs = ['id too short', 'url without reference path'];
	/* crypto-and-identity 19 */
	const acceptedByUs = ['password part with 4 components (newer runtimes)'];
	const accepts = ({ name, ok }: Recorded): boolean =>
		acceptedByUs.includes(name) || (ok !== undefined && !refusedByUs.includes(name));
	const valid = references.filter(accepts);
	const invalid = references.filter((recorded) => !accepts(recorded));

	it.each(valid)('accepts: $name', ({ input, parsedAs, ok, reserialized, url }) => {
		const kind = kindOf[parsedAs];
		const reference =
			kind === undefined ? parseReference(input) : parseReferenceOfKind(input, kind);
		const { passwordType, saltBase64, passwordLocationIndicator, id, key } = ok ?? {};
		if (ok !== undefined) expect([reference.id, reference.key]).toEqual([id, key]);
		if (ok !== undefined) {
			const { passwordProtection: protection } = reference;
			expect(protection?.passwordType).toBe(passwordType);
			const salt = protection && Buffer.from(protection.salt, 'base64url').toString('base64');
			expect(salt).toBe(saltBase64);
			expect(reference.forIdentityTruncated).toBe(ok.forIdentityTruncated);
			expect(reference.backboneBaseUrl).toBe(ok.backboneBaseUrl);
			expect(protection?.passwordLocationIndicator).toBe(passwordLocationIndicator);
		}
		if (reserialized !== undefined) {
			expect(writeTruncatedReference(reference)).toBe(reserialized);
		}
		if (url !== undefined) expect(writeReferenceUrl(reference)).toBe(url);
	});

	it.each(invalid)('refuses: $name', ({ input, parsedAs, error }) => {
		const target = kindOf[parsedAs];
		const code = codeThrownBy(() =>
			target === undefined ? parseReference(input) : parseReferenceOfKind(input, target),
		);
		if (error?.startsWith('error.') === true) expect(code).toBe(error);
		else expect(code).toMatch(/^error\./);
	});
});

describe('loading by reference', () => {
	const reference = (fields: Partial<Reference>): string =>
		writeTruncatedReference({
			id: 'TOKabcdefghijklmnopq',
			key: '381naxGWZaO22_BezABYwkO8t5OAqeUFuM_LJghZLJo',
			...fields,
		});

	it.each<[LoadTarget, string, string]>([
		['template', 'FILabcdefghijklmnopq', 'error.runtime.validation.invalidPropertyValue'],
		['token', 'RLTabcdefghijklmnopq', 'error.runtime.validation.invalidPropertyValue'],
		['file', 'RLTabcdefghijklmnopq', 'error.runtime.validation.invalidPropertyValue'],
	])('a %s refuses %s by its form', (target, id, code) => {
		expect(codeThrownBy(() => readLoadableReference(reference({ id }), target))).toBe(code);
	});

	it.each<[Exclude<LoadTarget, 'item'>, string]>([
		['template', 'error.runtime.invalidReference'],
		['file', 'error.runtime.invalidReference'],
		['token', 'error.runtime.requestDeserialization'],
	])('a %s refuses another kind that has slipped through the form', (target, code) => {
		// The official patterns are not anchored: what follows the id can look like another kind.
		const prefix = { template: 'RLT', token: 'TOK', file: 'FIL' }[target];
		const fitting = Buffer.from(prefix).toString('base64');
		const id = target === 'template' ? 'FILabcdefghijklmnopq' : 'RLTabcdefghijklmnopq';
		const backboneBaseUrl = `https://abc/${prefix}${'x'.repeat(90)}`;
		const text = reference({ id, backboneBaseUrl });
		expect(text).toContain(fitting);
		expect(codeThrownBy(() => readLoadableReference(text, target))).toBe(code);
	});

	it('needs the password of a protected object', () => {
		const passwordProtection = { passwordType: 'pw', salt: 'Ulc9UoSrgIJDdUoNZCJqKg' };
		const parsed = parseReference(reference({ passwordProtection }));
		const address = 'did:e:localhost:dids:99eb14c41a68d5583aa004';
		expect(codeThrownBy(() => requireLoadable(parsed, { address }))).toBe(
			'error.transport.noPasswordProvided',
		);
		expect(() => requireLoadable(parsed, { address, password: 'p' })).not.toThrow();
	});

	it('is refused to others than the one it was made for', () => {
		const parsed = parseReference(reference({ forIdentityTruncated: 'a004' }));
		const own = 'did:e:localhost:dids:99eb14c41a68d5583aa004';
		const other = 'did:e:localhost:dids:4080d58ce4a9f7e6bb1e6f';
		const refused = 'error.transport.general.notIntendedForYou';
		expect(() => requireLoadable(parsed, { address: own })).not.toThrow();
		expect(() => requireLoadable(parsed, { address: other, isStored: true })).not.toThrow();
		expect(codeThrownBy(() => requireLoadable(parsed, { address: other }))).toBe(refused);
		expect(codeThrownBy(() => requireLoadable(parsed, {}))).toBe(refused);
	});
});

itReadsItsVectors(__filename);
