import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { JwtBearerConfig } from '../config/jwt-bearer-config';
import { serverErrors } from '../server-errors';
import type { ServerOptions } from '../server-options';
import { apiKeyVerifier, type ApiKey } from './api-keys';
import type { AuditActor } from '../../model/record/http/audit';
import type { FailedAttempts } from './failed-attempts';
import { bearerVerifier } from './jwt-bearer';
import { heldRoles, namesAccount, type HeldRoles } from './roles';

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
	/** Roles of a key; undefined for a wrong or expired one. */
	rolesOfKey(text: string): Promise<HeldRoles | undefined>;
	/**
	 * Refuses a client after some seconds.
	 *
	 * @throws `error.connector.unauthorized`
	 */
	refuse(onRefusal?: () => void): Promise<never>;
}

/** Ways to authenticate, besides the keys that the account has stored; an absent one is off. */
interface Methods {
	readonly headerName: string;
	readonly keys: readonly ApiKey[];
	readonly jwtBearer?: JwtBearerConfig | undefined;
}

/** @param attempts counts wrong keys, for all accounts of a server together */
export function openAuthentication(
	settings: ServerOptions,
	attempts: FailedAttempts,
): Authentication {
	const { connectorVersion: version = 6, debug, logger, facade } = settings;
	const refusalDelayMs = settings.refusalDelayMs ?? (() => 1_000 * randomInt(1, 5));
	const { headerName, keys, jwtBearer } = methodsOf(settings);
	const rolesOfConfigured = apiKeyVerifier(keys);
	const verify = jwtBearer === undefined ? undefined : bearerVerifier(jwtBearer, logger);
	const isOpen =
		version === 7 &&
		debug &&
		keys.length === 0 &&
		verify === undefined &&
		settings.authentication?.apiKey.enabled !== true;
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
	const rolesOfStored = async (text: string): Promise<HeldRoles | undefined> => {
		const found = await facade.accessKeys.find(text);
		if (found === undefined) return undefined;
		const { id, name, scopes, expiresAtMs } = found;
		return { ...heldRoles(7, scopes, expiresAtMs), actor: { kind: 'key', id, name } };
	};
	const rolesOfKey = async (text: string): Promise<HeldRoles | undefined> =>
		rolesOfConfigured(text) ?? (await rolesOfStored(text));
	return {
		rolesOfKey,
		refuse,
		rolesOf: async (incoming, onRefusal) => {
			if (isOpen) return { ...heldRoles(7, ['**']), actor: anyClient };
			const { headers } = incoming;
			const { authorization } = headers;
			const given = headers[headerName] ?? keyInBearer(authorization);
			// A wrong key is refused even if the request also carries a valid token.
			if (given !== undefined && (version === 6 || given !== '')) {
				const key = String(given);
				attempts.requireFew(incoming);
				const roles = await rolesOfKey(key);
				if (roles !== undefined) return roles;
				if (keys.length > 0 || verify === undefined || authorization === undefined) {
					attempts.note(incoming, key);
					return await refuse(onRefusal);
				}
			}
			if (verify === undefined || authorization === undefined) return await refuse(onRefusal);
			const token = await verify(authorization);
			if (token === undefined) return await refuse(onRefusal);
			const actor = { kind: 'token', name: token.subject } as const;
			return { ...heldRoles(version, token.roles), actor };
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

/**
 * The one key and the tokens of version 6, or the named keys and the tokens of version 7; version 6
 * has named keys in addition. An account that is not the default one is opened only by named keys
 * that name it, and by keys that it has stored.
 */
function methodsOf(settings: ServerOptions): Methods {
	const { connectorVersion = 6, authentication, debug, accountName } = settings;
	const isDefault = accountName === undefined;
	const { apiKey, jwtBearer } = authentication ?? {};
	const named = Object.entries(apiKey?.enabled === true ? apiKey.keys : {})
		.filter(([, { enabled }]) => enabled)
		.filter(([, { accounts }]) =>
			accounts === undefined ? isDefault : namesAccount(accounts, accountName),
		)
		.map(([name, { key, scopes, expiresAtMs }]) => ({
			key,
			roles: { ...heldRoles(7, scopes, expiresAtMs), actor: keyNamed(name) },
		}));
	const headerName = apiKey?.headerName.toLowerCase() ?? 'x-api-key';
	if (connectorVersion === 7) {
		const usesTokens = isDefault && jwtBearer?.enabled === true;
		return { headerName, keys: named, jwtBearer: usesTokens ? jwtBearer : undefined };
	}
	if (!isDefault) return { headerName: 'x-api-key', keys: named };
	const held = heldRoles(6, debug ? ['admin', 'developer'] : ['admin']);
	const roles = { ...held, actor: keyNamed('apiKey') };
	const single = settings.apiKey === undefined ? [] : [{ key: settings.apiKey, roles }];
	return { headerName: 'x-api-key', keys: [...single, ...named], jwtBearer: settings.jwtBearer };
}

/** Key of the configuration, by the name that it has there. */
const keyNamed = (name: string): AuditActor => ({ kind: 'key', name: name.slice(0, 100) });

/** Client of a gateway that asks for no key. */
const anyClient: AuditActor = { kind: 'unknown', name: 'any client' };
