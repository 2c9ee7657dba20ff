import { keysOf } from '../../base/members';
import { requiredRoles, type HeldRoles } from '../authentication/roles';

/** Role that opens everything on the page for reading; programs have no use of it. */
export const readingRole = 'page:read';

/** Parts of the page, by the groups of routes that they use. */
const groupOfPart = {
	accounts: 'Accounts',
	keys: 'Keys',
	problems: 'Problems',
	webhooks: 'Webhooks',
	people: 'Contacts',
} as const;

type Part = keyof typeof groupOfPart;

/** What a person may do on the page; `change` is false for people who may only read. */
export type Permissions = Readonly<Record<Part | 'change', boolean>>;

export function permissionsOf(roles: HeldRoles): Permissions {
	const reads = mayRead(roles);
	const parts = keysOf(groupOfPart);
	const opened = parts.filter((part) => opens(roles, groupOfPart[part]));
	const shown = parts.map((part): [Part, boolean] => [part, reads || opened.includes(part)]);
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the table has these keys
	return { ...Object.fromEntries(shown), change: opened.length > 0 } as Permissions;
}

/** Roles that open what the page shows. */
const shownRoles = new Set(
	Object.values(groupOfPart).flatMap((name) => requiredRoles({ name, roles: [] })[7]),
);

/** The same roles for calls that read only. */
export function readingRoles(roles: HeldRoles): HeldRoles {
	if (!mayRead(roles)) return roles;
	return { ...roles, has: (role) => shownRoles.has(role) || roles.has(role) };
}

const mayRead = (roles: HeldRoles): boolean => roles.version === 7 && roles.has(readingRole);

function opens(roles: HeldRoles, name: string): boolean {
	const required = requiredRoles({ name, roles: ['admin'] });
	return required[roles.version].some((role) => roles.has(role));
}
