import { invalidPart } from '../server-errors';

/** Values by name; a repeated name has a list. */
export type FlatValues = Readonly<Record<string, string | readonly string[]>>;

const maxPairs = 1_000;

/**
 * Parses form fields and queries: names are kept, repeated ones become lists
 * (docs/protocol/http-api.md 2.5, 2.6).
 *
 * @throws `error.gateway.http.malformedRequest`
 */
export function readPairs(
	text: string,
	where: 'query' | 'body',
): Record<string, string | string[]> {
	if (text === '') return {};
	const pairs = text.split('&').filter((pair) => pair !== '');
	if (pairs.length > maxPairs) throw malformed(where, `more than ${maxPairs} fields`);
	const values = new Map<string, string | string[]>();
	for (const pair of pairs) {
		const separator = pair.indexOf('=');
		const name = decode(separator < 0 ? pair : pair.slice(0, separator), where);
		const value = separator < 0 ? '' : decode(pair.slice(separator + 1), where);
		if (name === '__proto__') throw malformed(where, 'a field that is named __proto__');
		const known = values.get(name);
		if (known === undefined) values.set(name, value);
		else if (typeof known === 'string') values.set(name, [known, value]);
		else known.push(value);
	}
	return Object.fromEntries(values);
}

/**
 * Translates queries of older official clients (docs/protocol/http-api.md 16.1): lists inside
 * objects are indexed there, and some fields have the name of another version.
 */
export function normaliseQuery(values: FlatValues): FlatValues {
	const merged = new Map<string, string | readonly string[]>();
	for (const [given, value] of Object.entries(values)) {
		const name = memberName(given);
		const known = merged.get(name);
		const isIndexed = /(\.\d+|\[\])$/.test(given);
		if (known === undefined) merged.set(name, isIndexed ? [value].flat() : value);
		else merged.set(name, [known, value].flat());
	}
	return Object.fromEntries(merged);
}

const renamed: Readonly<Record<string, string>> = {
	contentType: 'content.@type',
	contentSubject: 'content.subject',
	contentBody: 'content.body',
};

function memberName(given: string): string {
	const name = given.replace(/^query\./, '').replace(/(\.\d+|\[\])$/, '');
	return Object.hasOwn(renamed, name) ? (renamed[name] ?? name) : name;
}

function decode(text: string, where: string): string {
	try {
		return decodeURIComponent(text.replaceAll('+', ' '));
	} catch (cause) {
		throw malformed(where, 'an invalid percent encoding', cause);
	}
}

const malformed = (where: string, found: string, cause?: unknown): Error =>
	invalidPart('malformedRequest', where, `The ${where} of the request contains ${found}.`, cause);
