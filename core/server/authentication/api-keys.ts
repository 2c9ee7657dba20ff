import { hash, timingSafeEqual } from 'node:crypto';
import { systemClock } from '../../base/clock';
import type { HeldRoles } from './roles';

/** A key that a client may send, and what it may do then. */
export interface ApiKey {
	readonly key: string;
	readonly roles: HeldRoles;
}

/**
 * Finds the roles of a key; undefined for an unknown or expired one. Compares in constant time: the
 * hashes of all texts have the same length, and every key is looked at.
 */
export function apiKeyVerifier(keys: readonly ApiKey[]): (text: string) => HeldRoles | undefined {
	const known = keys.map(({ key, roles }) => ({ digest: digestOf(key), roles }));
	return (text) => {
		const digest = digestOf(text);
		const [found] = known.filter((one) => timingSafeEqual(one.digest, digest));
		return found === undefined || isOver(found.roles.expiresAtMs) ? undefined : found.roles;
	};
}

/** Tells whether an instant in milliseconds since the epoch has passed. */
export function isOver(expiresAtMs: number | undefined): boolean {
	return expiresAtMs !== undefined && expiresAtMs <= systemClock.now();
}

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Weakness of the API key of version 6, for a warning at start; undefined for a strong key. */
export function weaknessOf(apiKey: string): string | undefined {
	return isStrong(apiKey, /[^A-Za-z0-9]/g) ? undefined : `the API key is weak: use ${strengthRule}`;
}

export const strengthRule =
	'at least 30 characters with 2 digits, 2 upper-case letters, 2 lower-case letters and 1 special character';

/** Tells whether a key has the strength that version 7 demands (docs/protocol/connector-7.md 2). */
export function isStrongKey(key: string): boolean {
	return isStrong(key, /[!-/:-@[-`{-~]/g);
}

function isStrong(key: string, special: RegExp): boolean {
	const count = (characters: RegExp): number => key.match(characters)?.length ?? 0;
	return (
		key.length >= 30 &&
		count(/\d/g) >= 2 &&
		count(/[A-Z]/g) >= 2 &&
		count(/[a-z]/g) >= 2 &&
		count(special) >= 1
	);
}
