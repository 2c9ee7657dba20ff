import type { AuditActor } from '../../model/record/http/audit';
import { serverErrors } from '../server-errors';
import type { ConnectorVersion } from '../connector-version';

/** What a client may do. */
export interface HeldRoles {
	/** version in which the roles are compared and named */
	readonly version: ConnectorVersion;
	/** Tells whether the client may use what needs this role. */
	has(role: string): boolean;
	/** end of the roles in milliseconds since the epoch; absent if they do not end */
	readonly expiresAtMs?: number | undefined;
	/** who the client is, for the audit; absent: not known */
	readonly actor?: AuditActor | undefined;
	/** text for a client that lacks a role */
	readonly refusal: string;
}

/**
 * Roles as version 6 compares them, literally (docs/protocol/http-api.md 4), or as version 7 does,
 * as patterns (docs/protocol/connector-7.md 2).
 */
export function heldRoles(
	version: ConnectorVersion,
	roles: readonly string[],
	expiresAtMs?: number,
): HeldRoles {
	if (version === 6) {
		const refusal = 'You are not allowed to perform this action.';
		return { version, has: (role) => roles.includes(role), refusal, expiresAtMs };
	}
	const patterns = roles.map(tokensOf);
	return {
		version,
		has: (role) => patterns.some((tokens) => matches(tokens, role)),
		refusal: 'You are not allowed to access this endpoint.',
		expiresAtMs,
	};
}

/**
 * Tells whether a list of accounts contains one, in any letter case, as the paths of HTTP are.
 *
 * @param accounts names, `default` for the default account, '*' for all
 * @param name undefined: the default account
 */
export function namesAccount(accounts: readonly string[], name: string | undefined): boolean {
	const wanted = (name ?? 'default').toLowerCase();
	return accounts.some((one) => one === '*' || one.toLowerCase() === wanted);
}

export const noRoles = heldRoles(6, []);

/** Stars together, and every other character alone. */
const tokensOf = (pattern: string): readonly string[] => pattern.match(/\*+|[^*]/g) ?? [];

/**
 * Matches a role against a pattern: `*` stands for any characters of one segment, `**` for any
 * characters. It notes after each token where the role may go on, so its time grows with the
 * product of both lengths and no further.
 */
function matches(tokens: readonly string[], role: string): boolean {
	let reached: readonly boolean[] = [true, ...Array.from(role, () => false)];
	for (const token of tokens) {
		const next: boolean[] = [];
		for (let at = 0; at <= role.length; at++) {
			const last = role[at - 1];
			next[at] = token.startsWith('*')
				? reached[at] === true || (next[at - 1] === true && (token !== '*' || last !== ':'))
				: reached[at - 1] === true && last === token;
		}
		reached = next;
	}
	return reached[role.length] === true;
}

/** Groups whose roles do not follow from their name. */
const ownRoles: Readonly<Record<string, readonly string[]>> = {
	'Requests/Incoming': ['core:requests', 'core:requests:incoming'],
	'Requests/Outgoing': ['core:requests', 'core:requests:outgoing'],
	IdentityDeletionProcess: ['debug:identityDeletionProcess'],
	Problems: ['core:account'],
	Keys: ['admin:keys'],
	Accounts: ['admin:accounts'],
	Audit: ['admin:audit'],
};

/**
 * Roles of which one opens a route, by the version in which the roles of the client are compared:
 * the served version below all prefixes, and 7 for named keys (docs/protocol/connector-7.md 2).
 */
export type RequiredRoles = Readonly<Record<ConnectorVersion, readonly string[]>>;

/** Roles of which one opens the routes of a group. */
export function requiredRoles({
	name,
	roles,
}: {
	readonly name: string;
	readonly roles: readonly string[];
}): RequiredRoles {
	const own = Object.hasOwn(ownRoles, name) ? ownRoles[name] : undefined;
	return { 6: roles, 7: own ?? [inNamespace('core', name)] };
}

/** Roles of which one opens a route of `/Monitoring`. */
export function monitoringRoles(name: string): RequiredRoles {
	return { 6: ['admin', 'monitoring'], 7: [inNamespace('monitoring', name)] };
}

const inNamespace = (namespace: string, name: string): string =>
	`${namespace}:${name.charAt(0).toLowerCase()}${name.slice(1)}`;

/** Sentence of the documentation about the roles of a route. */
export function rolesText(roles: readonly string[]): string {
	return `Roles: ${roles.map((role) => `\`${role}\``).join(', ')}.`;
}

/** @throws `error.connector.forbidden` */
export function requireRole(held: HeldRoles, required: RequiredRoles): void {
	const allowed = required[held.version];
	if (allowed.length === 0) throw new TypeError('A route needs at least one role');
	if (allowed.some((role) => held.has(role))) return;
	throw serverErrors.create('forbidden', { message: held.refusal, facts: { roles: allowed } });
}
