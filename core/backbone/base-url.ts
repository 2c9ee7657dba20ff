import { backboneErrors } from './backbone-errors';

function refuse(message: string): never {
	throw backboneErrors.create('invalidBaseUrl', { message });
}

function parseUrl(text: string): URL {
	try {
		return new URL(text);
	} catch {
		return refuse('The Backbone address is not a URL; expected one like https://host.');
	}
}

/**
 * The one form of a Backbone address: no trailing slash, no `/api/…` (people paste addresses of
 * single calls), no query. `docs/protocol/backbone-api.md` 2.1.
 *
 * @throws `error.transport.general.baseUrlNotSet`, `error.transport.general.invalidBaseUrl`
 */
export function normalizeBaseUrl(input: string): string {
	const text = input.trim();
	if (text === '') {
		throw backboneErrors.create('baseUrlNotSet', { message: 'No Backbone address is given.' });
	}
	if (text.length > 2_000) return refuse('The Backbone address is longer than 2000 characters.');
	// The address becomes part of references, where this character separates fields.
	if (text.includes('|')) return refuse("The Backbone address must not contain '|'.");
	const url = parseUrl(text);
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		return refuse(`The Backbone address must start with https:// or http://, not ${url.protocol}`);
	}
	if (url.username !== '' || url.password !== '') {
		return refuse('The Backbone address must not contain a user name or password.');
	}
	const path = url.pathname.replace(/\/api(\/.*)?$/i, '').replace(/\/+$/, '');
	return url.origin + path;
}
