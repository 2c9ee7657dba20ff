import { backboneErrors } from './backbone-errors';

type Refuse = (message: string) => Error;

const maxLength = 2_000;

/**
 * Normalizes a Backbone address: no trailing slash, no query and no `/api/…`, because people paste
 * the addresses of single calls (`docs/protocol/backbone-api.md` 2.1).
 *
 * @throws `error.transport.general.baseUrlNotSet`, `error.transport.general.invalidBaseUrl`
 */
export function normalizeBaseUrl(input: string): string {
	const text = input.trim();
	const refuse: Refuse = (message) => backboneErrors.create('invalidBaseUrl', { message });
	if (text === '') {
		throw backboneErrors.create('baseUrlNotSet', { message: 'No Backbone address is given.' });
	}
	// References contain the address and use this character as their field separator.
	if (text.includes('|')) throw refuse("The Backbone address must not contain '|'.");
	return withoutCallPath(text, 'Backbone address', refuse);
}

/**
 * Normalizes the address of a push service that has another address than the Backbone.
 *
 * @throws `error.gateway.backbone.invalidPushUrl`
 */
export function normalizePushUrl(input: string): string {
	const facts = { field: 'backbone.pushUrl' };
	const refuse: Refuse = (message) => backboneErrors.create('invalidPushUrl', { message, facts });
	return withoutCallPath(input.trim(), 'push address', refuse);
}

function withoutCallPath(text: string, name: string, refuse: Refuse): string {
	if (text.length > maxLength) {
		throw refuse(`The ${name} is longer than ${maxLength} characters.`);
	}
	const url = URL.parse(text);
	if (url === null) throw refuse(`The ${name} is not a URL; expected one like https://host.`);
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		throw refuse(`The ${name} must start with https:// or http://, not ${url.protocol}`);
	}
	if (url.username !== '' || url.password !== '') {
		throw refuse(`The ${name} must not contain a user name or password.`);
	}
	const path = url.pathname.replace(/\/api(\/.*)?$/i, '').replace(/\/+$/, '');
	return url.origin + path;
}
