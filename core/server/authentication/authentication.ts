import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { bearerVerifier } from './jwt-bearer';
import { serverErrors } from '../server-errors';
import type { ServerOptions } from '../server-options';

/**
 * Limit of delayed refusals; further ones are immediate, because waiting would only occupy
 * connections.
 */
const maxWaiting = 100;

/** Determines what a client may do (docs/protocol/http-api.md 4). */
export interface Authentication {
	/**
	 * Roles of the client that sent this request.
	 *
	 * @param onRefusal called before the delay of a refusal
	 * @throws `error.connector.unauthorized`, after some seconds
	 */
	rolesOf(incoming: IncomingMessage, onRefusal?: () => void): Promise<readonly string[]>;
}

type Settings = Pick<ServerOptions, 'apiKey' | 'jwtBearer' | 'debug' | 'refusalDelayMs' | 'logger'>;

export function openAuthentication(settings: Settings): Authentication {
	const { apiKey, jwtBearer, debug, logger } = settings;
	const refusalDelayMs = settings.refusalDelayMs ?? (() => 1_000 * randomInt(1, 5));
	const isApiKey = apiKey === undefined ? undefined : equalTo(apiKey);
	const verify = jwtBearer === undefined ? undefined : bearerVerifier(jwtBearer, logger);
	const keyRoles = debug ? ['admin', 'developer'] : ['admin'];
	let waiting = 0;

	const refuse = async (onRefusal?: () => void): Promise<never> => {
		onRefusal?.();
		if (waiting < maxWaiting) {
			waiting++;
			await delay(refusalDelayMs(), undefined, { ref: false }).finally(() => waiting--);
		}
		throw serverErrors.create('unauthorized', {
			message: 'You are not authorized to perform this action.',
		});
	};
	return {
		rolesOf: async ({ headers }, onRefusal) => {
			const key = headers['x-api-key'];
			// A wrong key is refused even if the request also carries a valid token.
			if (isApiKey !== undefined && key !== undefined) {
				return isApiKey(String(key)) ? keyRoles : await refuse(onRefusal);
			}
			const { authorization } = headers;
			if (verify === undefined || authorization === undefined) return await refuse(onRefusal);
			return (await verify(authorization)) ?? (await refuse(onRefusal));
		},
	};
}

/** Compares in constant time: the hashes of both texts have the same length. */
function equalTo(secret: string): (text: string) => boolean {
	const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
	const expected = digest(secret);
	return (text) => timingSafeEqual(digest(text), expected);
}

/** Weakness of an API key, for a warning at start; undefined for a strong key. */
export function weaknessOf(apiKey: string): string | undefined {
	const count = (characters: RegExp): number => apiKey.match(characters)?.length ?? 0;
	const isStrong =
		apiKey.length >= 30 &&
		count(/\d/g) >= 2 &&
		count(/[A-Z]/g) >= 2 &&
		count(/[a-z]/g) >= 2 &&
		count(/[^A-Za-z0-9]/g) >= 1;
	return isStrong
		? undefined
		: 'the API key is weak: use at least 30 characters with 2 digits, 2 upper-case letters, 2 lower-case letters and 1 special character';
}

/** @throws `error.connector.forbidden` */
export function requireRole(held: readonly string[], allowed: readonly string[]): void {
	if (allowed.length === 0) throw new TypeError('A route needs at least one role');
	if (allowed.some((role) => held.includes(role))) return;
	throw serverErrors.create('forbidden', {
		message: 'You are not allowed to perform this action.',
		facts: { roles: allowed },
	});
}
