import type { Random } from '../base/random';

const groups = [
	'ABCDEFGHJKLMNPQRSTUVWXYZ',
	'abcdefghijkmnpqrstuvwxyz',
	'123456789',
	'!?-_.:,;#+',
] as const;
const passwordLength = 48;

/**
 * Generates a device password like official software: at least one character of each group, no
 * characters that look alike.
 *
 * @see docs/protocol/crypto-and-identity.md 8.2
 */
export function generateDevicePassword(random: Random): string {
	const alphabet = groups.join('');
	for (;;) {
		const password = random.text(passwordLength, alphabet);
		const hasAll = groups.every((group) => [...group].some((c) => password.includes(c)));
		if (hasAll) return password;
	}
}
