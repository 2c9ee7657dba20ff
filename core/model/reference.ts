import { decodeBase64Url, decodeUtf8, encodeBase64Url, encodeUtf8 } from '../base/encoding';
import { isId } from './ids';
import { keyErrors } from './key-errors';
import type { SharedPasswordProtection } from './password-protection';
import { readPasswordPart, writePasswordPart } from './password-protection';
import { referenceErrors } from './reference-errors';

/**
 * Reference: names a template, token or file and contains its key. People pass it on as truncated
 * text or as a link. The Backbone address inside is never used for loading.
 *
 * Source: docs/protocol/crypto-and-identity.md 14
 */
export const referenceKinds = ['template', 'token', 'file'] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

export interface Reference {
	readonly kind: ReferenceKind;
	readonly id: string;
	readonly backboneBaseUrl?: string;
	/** base64url of 32 bytes */
	readonly key: string;
	/** last four characters of the address for which the object is meant */
	readonly forIdentityTruncated?: string;
	readonly passwordProtection?: SharedPasswordProtection;
}

/** Upper limit; the longest official reference has about 300 characters. */
const maxReferenceLength = 4_000;
const appPrefixes = ['nmshd://qr#', 'nmshd://tr#'];
const forIdentityForm = /^[0-9a-f]{4}$/;

/** Writes always five parts, as official software does. */
export function writeTruncatedReference(reference: Omit<Reference, 'kind'>): string {
	const { id, backboneBaseUrl } = reference;
	const idPart = backboneBaseUrl === undefined ? id : `${id}@${backboneBaseUrl}`;
	return encodeBase64Url(encodeUtf8(`${idPart}|${writeKeyParts(reference)}`));
}

/**
 * @param appId inserted verbatim; the gateway sets none
 * @throws `error.core-types.missingBackboneBaseUrl`
 */
export function writeReferenceUrl(reference: Omit<Reference, 'kind'>, appId?: string): string {
	if (reference.backboneBaseUrl === undefined) {
		const message = 'Expected the address of the Backbone for a link, found none';
		throw referenceErrors.create('missingBackboneBaseUrl', { message });
	}
	const query = appId === undefined ? '' : `?app=${appId}`;
	const fragment = encodeBase64Url(encodeUtf8(writeKeyParts(reference)));
	return `${reference.backboneBaseUrl}/r/${reference.id}${query}#${fragment}`;
}

/** Reference for QR codes, unless a link was requested. */
export function writeAppReference(reference: Omit<Reference, 'kind'>): string {
	return `nmshd://tr#${writeTruncatedReference(reference)}`;
}

/** Part of an address that makes a reference personal. */
export function truncateForIdentity(address: string): string {
	return address.slice(-4);
}

/** Tells whether a reference is meant for the address, or for any address. */
export function isIntendedFor(
	reference: Pick<Reference, 'forIdentityTruncated'>,
	address: string,
): boolean {
	const { forIdentityTruncated: hint } = reference;
	return hint === undefined || address.endsWith(hint);
}

/**
 * Parses a link, a truncated reference, or a reference with a prefix for apps.
 *
 * @throws `error.core-types.invalidTruncatedReference` for another form
 * @throws `error.crypto.wrongEncryptionAlgorithm`, `error.crypto.encryption.wrongSecretKey`
 * @throws `error.runtime.requestDeserialization` for an impossible id or hint
 */
export function parseReference(text: string): Reference {
	if (text.length > maxReferenceLength) {
		throw malformed(`at most ${maxReferenceLength} characters`, String(text.length));
	}
	if (text.startsWith('http')) return parseUrl(text);
	const isForApp = appPrefixes.some((prefix) => text.startsWith(prefix));
	return parseTruncated(isForApp ? text.slice('nmshd://xx#'.length) : text);
}

/**
 * @throws `error.runtime.requestDeserialization` for a reference of another kind, besides the codes
 * of {@link parseReference}
 */
export function parseReferenceOfKind(text: string, kind: ReferenceKind): Reference {
	const reference = parseReference(text);
	if (reference.kind === kind) return reference;
	throw impossible(`an id of a ${kind}`);
}

function writeKeyParts(reference: Omit<Reference, 'kind'>): string {
	const { key, forIdentityTruncated = '', passwordProtection } = reference;
	return `3|${key}|${forIdentityTruncated}|${writePasswordPart(passwordProtection)}`;
}

function parseTruncated(text: string): Reference {
	const parts = decodeText(text).split('|');
	if (parts.length !== 3 && parts.length !== 5) {
		throw malformed('3 or 5 components', String(parts.length));
	}
	const [idPart = '', ...keyParts] = parts;
	const separator = idPart.indexOf('@');
	if (separator < 0) return readParts(idPart, undefined, keyParts);
	return readParts(idPart.slice(0, separator), idPart.slice(separator + 1), keyParts);
}

function parseUrl(text: string): Reference {
	const url = URL.parse(text);
	if (url === null) throw malformed('a link', 'something else');
	// The last /r/ counts, because the Backbone may be hosted below a path of that name.
	const [, path = '', id = ''] = /^(.*)\/r\/([^/]+)$/.exec(url.pathname) ?? [];
	const keyParts = decodeText(url.hash.slice(1)).split('|');
	if (keyParts.length < 4) throw malformed('4 components in the fragment', String(keyParts.length));
	return readParts(id, url.origin + path, keyParts);
}

function readParts(
	id: string,
	backboneBaseUrl: string | undefined,
	[algorithm = '', key = '', hint = '', passwordPart = '']: string[],
): Reference {
	checkKey(algorithm, key);
	const passwordProtection = readPasswordPart(passwordPart);
	if (hint !== '' && !forIdentityForm.test(hint)) {
		throw impossible('the last four characters of an address');
	}
	const kind = referenceKinds.find((candidate) => isId(candidate, id));
	if (kind === undefined) throw impossible('an id of a template, token or file');
	return {
		kind,
		id,
		key,
		...(backboneBaseUrl === undefined ? {} : { backboneBaseUrl }),
		...(hint === '' ? {} : { forIdentityTruncated: hint }),
		...(passwordProtection === undefined ? {} : { passwordProtection }),
	};
}

function checkKey(algorithm: string, key: string): void {
	if (!/^[0-9]+$/.test(algorithm)) throw malformed('an integer as algorithm', 'something else');
	if (algorithm !== '3') {
		const message = `Expected encryption algorithm 3 in the reference, found ${algorithm}`;
		throw keyErrors.create('wrongAlgorithm', { message });
	}
	if (decodeBase64Url(key)?.length !== 32) {
		const message = `Expected a key of 32 bytes in the reference, found ${key.length} characters`;
		throw keyErrors.create('wrongSecretKey', { message });
	}
}

function decodeText(text: string): string {
	const bytes = decodeBase64Url(text);
	const decoded = bytes === undefined ? undefined : decodeUtf8(bytes);
	if (decoded === undefined) throw malformed('base64url of text', 'something else');
	return decoded;
}

function malformed(expected: string, found: string): Error {
	const message = `Expected ${expected} in the reference, found ${found}`;
	return referenceErrors.create('invalidTruncatedReference', { message });
}

function impossible(expected: string): Error {
	const message = `Expected ${expected} in the reference, found something else`;
	return referenceErrors.create('invalidField', { message });
}
