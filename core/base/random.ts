import { randomFillSync } from 'node:crypto';

/** Source of randomness passed in by the caller, so that vectors and tests are deterministic. */
export interface Random {
	/** Draws the given number of bytes. */
	bytes(length: number): Uint8Array;
	/** Draws `length` characters from `alphabet`, each with the same probability. */
	text(length: number, alphabet: string): string;
}

export const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Length of the buffer; longer requests go to the generator directly. */
const bufferedLength = 4_096;
/**
 * Time for which the buffer is used. A machine that is set back to a snapshot has the buffer of then again;
 * the bytes of the generator differ, because it mixes in the time of each call.
 */
const longestUseMs = 100;

/**
 * Buffer of random bytes, as Node has one for `crypto.randomUUID`. A call to the generator for many
 * bytes takes about as long as one for few, and a mail needs a dozen keys, nonces and ids: without
 * the buffer a mail takes 1.07 times as long (`npm run bench -- --against`). Bytes that were
 * returned are erased from the buffer.
 */
class RandomBuffer {
	private readonly buffer = new Uint8Array(bufferedLength);

	private used = bufferedLength;

	private filledAt = Number.NEGATIVE_INFINITY;

	/** Returns an array with its own memory: key material must not share a buffer with other data. */
	take(length: number): Uint8Array {
		const taken = new Uint8Array(length);
		if (length > bufferedLength / 4) return randomFillSync(taken);
		const now = performance.now();
		if (this.used + length > bufferedLength || now - this.filledAt > longestUseMs) {
			randomFillSync(this.buffer);
			this.used = 0;
			this.filledAt = now;
		}
		const end = this.used + length;
		taken.set(this.buffer.subarray(this.used, end));
		this.buffer.fill(0, this.used, end);
		this.used = end;
		return taken;
	}
}

const buffer = new RandomBuffer();

const range = 2 ** 32;

export const systemRandom: Random = {
	bytes: (length) => buffer.take(length),
	text: (length, alphabet) => {
		let text = '';
		const fair = range - (range % alphabet.length);
		while (text.length < length) {
			const drawn = new DataView(buffer.take(4).buffer).getUint32(0);
			if (drawn < fair) text += alphabet.charAt(drawn % alphabet.length);
		}
		return text;
	},
};
