import { randomFillSync } from 'node:crypto';

/** Source of randomness passed in by the caller, so that vectors and tests are deterministic. */
export interface Random {
	/** Draws the given number of bytes. */
	bytes(length: number): Uint8Array;
	/** Draws `length` characters from `alphabet`, each with the same probability. */
	text(length: number, alphabet: string): string;
}

export const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const range = 2 ** 32;

export const systemRandom: Random = {
	bytes: (length) => randomFillSync(new Uint8Array(length)),
	text: (length, alphabet) => {
		let text = '';
		const fair = range - (range % alphabet.length);
		while (text.length < length) {
			const drawn = randomFillSync(new Uint32Array(1))[0] ?? range;
			if (drawn < fair) text += alphabet.charAt(drawn % alphabet.length);
		}
		return text;
	},
};
