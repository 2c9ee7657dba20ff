import { createHash, randomInt } from 'node:crypto';

/** Characters of ids and usernames (docs/protocol/backbone-api.md 2.7). */
export const idCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Characters of ownership tokens (docs/protocol/backbone-api.md 16.3). */
export const tokenCharacters = `${idCharacters}!@#$%^&*()_-+=<>?/{}[]\\|~`;

/** Characters of error ids (docs/protocol/backbone-api.md 2.7). */
export const errorCharacters = 'ABCDEFGHJKLMNPQRSTUVWXYZ123456789';

/** Random text of `length` characters, uniformly drawn from the alphabet. */
export function randomText(length: number, alphabet: string): string {
	let text = '';
	while (text.length < length) text += alphabet.charAt(randomInt(alphabet.length));
	return text;
}

/**
 * Pseudo-random number from 0 to 1 that depends on the seed and the words only, so that unrelated
 * events do not change the outcome for one event.
 */
export function seededFraction(seed: number, ...words: ReadonlyArray<string | number>): number {
	const digest = createHash('sha256')
		.update([seed, ...words].join('|'))
		.digest();
	return digest.readUInt32BE() / 2 ** 32;
}
