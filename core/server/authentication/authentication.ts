import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { JwtBearerConfig } from '../config/jwt-bearer-config';
import { serverErrors } from '../server-errors';
import type { ServerOptions } from '../server-options';
import { apiKeyVerifier, type ApiKey } from './api-keys';
import { bearerVerifier } from './jwt-bearer';
import { heldRoles, type HeldRoles } from './roles';

/**
 * Limit of delayed refusals; further ones are immediate, because waiting would only occupy
 * connections.
 */
const maxWaiting = 100;

/**
 * Determines what a client may do (docs/protocol/http-api.md 4, docs/protocol/connector-7.md 2).
 */
export interface Authentication {
	/**
	 * Roles of the client that sent this request.
	 *
	 * @param onRefusal called before the delay of a refusal
	 * @throws `error.connector.unauthorized`, after some seconds
	 */
	rolesOf(incoming: IncomingMessage, onRefusal?: () => void): Promise<HeldRoles>;
}

type Settings = Pick<
	ServerOptions,
	| 'connectorVersion'
	| 'authentication'
	| 'apiKey'
	| 'jwtBearer'
	| 'debug'
	| 'refusalDelayMs'
	| 'logger'
>;

/** Ways to authenticate; an absent one is switched off. */
interface Methods {
	readonly headerName: string;
	readonly keys?: readonly ApiKey[] | undefined;
	readonly jwtBearer?: JwtBearerConfig | undefined;
}

export function openAuthentication(settings: Settings): Authentication {
	const { connectorVersion: version = 6, debug, logger } = settings;
	const refusalDelayMs = settings.refusalDelayMs ?? (() => 1_000 * randomInt(1, 5));
	const { headerName, keys, jwtBearer } =
		version === 6 ? methodsOf6(settings) : methodsOf7(settings);
	const rolesOfKey = keys === undefined ? undefined : apiKeyVerifier(keys);
	const verify = jwtBearer === undefined ? undefined : bearerVerifier(jwtBearer, logger);
	const isOpen = version === 7 && debug && rolesOfKey === undefined && verify === undefined;
	if (isOpen) logger.warn('no key or token is needed in this debug mode: every client may do all');
	let waiting = 0;

	const refuse = async (onRefusal?: () => void): Promise<never> => {
		onRefusal?.();
		if (waiting < maxWaiting) {
			waiting++;
			await delay(refusalDelayMs(), undefined, { ref: false }).finally(() => waiting--);
		}
		throw serverErrors.create('unauthorized', {
			message: version === 6 ? 'You are not authorized to perform this action.' : 'Unauthorized.',
		});
	};
	return {
		rolesOf: async ({ headers }, onRefusal) => {
			if (isOpen) return heldRoles(7, ['**']);
			const { authorization } = headers;
			const key = headers[headerName] ?? keyInBearer(authorization);
			const isGiven = key !== undefined && (version === 6 || key !== '');
			// A wrong key is refused even if the request also carries a valid token.
			if (rolesOfKey !== undefined && isGiven) {
				return rolesOfKey(String(key)) ?? (await refuse(onRefusal));
			}
			if (verify === undefined || authorization === undefined) return await refuse(onRefusal);
			const roles = await verify(authorization);
			return roles === undefined ? await refuse(onRefusal) : heldRoles(version, roles);
		},
	};
}

/**
 * Reads a key from the header of bearer tokens, for programs that can set no other header, such as
 * Prometheus before version 2.55. A text with two dots is a token.
 */
function keyInBearer(authorization: string | undefined): string | undefined {
	const [, text] = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '') ?? [];
	return text === undefined || /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text) ? undefined : text;
}

function methodsOf6({ apiKey, jwtBearer, debug }: Settings): Methods {
	const roles = heldRoles(6, debug ? ['admin', 'developer'] : ['admin']);
	const keys = apiKey === undefined ? undefined : [{ key: apiKey, roles }];
	return { headerName: 'x-api-key', keys, jwtBearer };
}

function methodsOf7({ authentication }: Settings): Methods {
	if (authentication === undefined) return { headerName: 'x-api-key' };
	const { apiKey, jwtBearer } = authentication;
	const keys = Object.values(apiKey.keys)
		.filter(({ enabled }) => enabled)
		.map(({ key, scopes, expiresAtMs }) => ({ key, roles: heldRoles(7, scopes, expiresAtMs) }));
	return {
		headerName: apiKey.headerName.toLowerCase(),
		keys: apiKey.enabled ? keys : undefined,
		jwtBearer: jwtBearer.enabled ? jwtBearer : undefined,
	};
}
