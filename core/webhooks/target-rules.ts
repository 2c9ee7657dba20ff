import { hostname, networkInterfaces } from 'node:os';
import { decodedOrSame } from '../base/encoding';
import { isForbiddenHost, isPrivateHost } from '../publish/webhooks/forbidden-address';
import { webhookErrors } from '../publish/webhooks/webhook-errors';
import { filledUrl } from '../publish/webhooks/webhook-targets';
import type { ServerAddress } from '../facade/http/webhooks';

/** Event name with which the address is checked. */
const sampleEvent = 'transport.messageReceived';
/** Routes of a gateway, also behind a proxy that adds a prefix. */
const ownRoute = /\/(api\/(v2|core\/v1)|accounts|events|health|monitoring|docs|rapidoc)(\/|$)/i;

/** What targets have to be. */
export interface TargetRules {
	/** allows this host and private networks */
	readonly allowsPrivate: boolean;
	/** server that the webhook is registered at; absent: none */
	readonly server?: ServerAddress | undefined;
}

/**
 * Refuses an address that must not be called. Names are checked again with every address that they
 * resolve to, when they are called.
 *
 * @param field field of the caller's input, for the error
 * @throws `error.runtime.validation.invalidPropertyValue`, `error.gateway.webhooks.privateAddress`,
 * `error.gateway.webhooks.ownAddress`
 */
export function requireTarget(address: string, field: string, rules: TargetRules): void {
	const url = URL.parse(filledUrl(address, sampleEvent));
	if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
		throw invalid(field, 'expected an address that begins with https:// or http://');
	}
	if (url.username !== '' || url.password !== '') {
		throw invalid(field, 'contains a user name or password; use headers or authentication');
	}
	if (rules.server !== undefined && isOwn(url, rules.server)) {
		throw webhookErrors.create('ownAddress', {
			message: `'${field}' is a route of this gateway.`,
			facts: { field },
		});
	}
	const isRefused = rules.allowsPrivate ? isForbiddenHost : isPrivateHost;
	if (!isRefused(url.hostname)) return;
	throw webhookErrors.create('privateAddress', {
		message: `'${field}' points to an address that must not be called.`,
		facts: { field },
	});
}

function invalid(field: string, rule: string): Error {
	return webhookErrors.create('invalidInput', {
		message: `'${field}' is not valid: ${rule}.`,
		facts: { field },
	});
}

/**
 * Detects an address of the server itself: its port on this host, or one of its routes under a name
 * by which clients reach it.
 */
function isOwn(url: URL, { hosts, port }: ServerAddress): boolean {
	const usualPort = url.protocol === 'https:' ? 443 : 80;
	if (Number(url.port || usualPort) === port && isThisHost(url.hostname)) return true;
	const isNamed = hosts.some((host) => withoutPort(host) === url.hostname.toLowerCase());
	return isNamed && ownRoute.test(decodedOrSame(url.pathname));
}

function isThisHost(name: string): boolean {
	const bare = name
		.toLowerCase()
		.replace(/^\[|\]$/g, '')
		.replace(/\.$/, '');
	if (/^127\.|^::1$|^::ffff:7f|^0\.0\.0\.0$|^::$/.test(bare)) return true;
	if (/^(.*\.)?localhost$/.test(bare) || bare === hostname().toLowerCase()) return true;
	return Object.values(networkInterfaces()).some((addresses) =>
		addresses?.some(({ address }) => address.replace(/%.*$/, '') === bare),
	);
}

/** Host of a header without its port, as `URL` writes it. */
function withoutPort(host: string): string | undefined {
	return URL.parse(`http://${host}`)?.hostname.toLowerCase();
}
