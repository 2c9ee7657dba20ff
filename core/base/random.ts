import { randomBytes, randomInt } from 'node:crypto';

/** Randomness that is handed in, so that vectors and tests are deterministic. */
export interface Random {
	bytes(length: number): Uint8Array;
	/** `length` characters drawn from `alphabet` without modulo bias. */
	text(length: number, alphabet: string): string;
}

export const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const systemRandom: Random = {
	bytes: (length) => new Uint8Array(randomBytes(length)),
	text: (length, alphabet) => {
		let text = '';
		for (let i = 0; i < length; i++) text += alphabet.charAt(randomInt(alphabet.length));
		return text;
	},
};
