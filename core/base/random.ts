import { randomFillSync, randomInt } from 'node:crypto';

/** Source of randomness passed in by the caller, so that vectors and tests are deterministic. */
export interface Random {
	bytes(length: number): Uint8Array;
	/** Draws `length` characters from `alphabet`, each with the same probability. */
	text(length: number, alphabet: string): string;
}

export const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const systemRandom: Random = {
	// Each array has its own memory: key material must not share a buffer with other data.
	bytes: (length) => randomFillSync(new Uint8Array(length)),
	text: (length, alphabet) => {
		let text = '';
		while (text.length < length) text += alphabet.charAt(randomInt(alphabet.length));
		return text;
	},
};
