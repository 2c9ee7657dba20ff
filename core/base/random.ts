import { randomFillSync } from 'node:crypto';

/** Randomness that is handed in, so that vectors and tests are deterministic. */
export interface Random {
	bytes(length: number): Uint8Array;
	/** `length` characters drawn from `alphabet` without modulo bias. */
	text(length: number, alphabet: string): string;
}

export const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const reserveLength = 4_096;

/**
 * Random bytes of the operating system, fetched in advance: asking for a few takes as long as asking
 * for many, and one message needs a dozen keys, nonces and ids. What was given out is erased.
 */
class RandomReserve {
	private readonly reserve = new Uint8Array(reserveLength);

	private position = reserveLength;

	take(length: number): Uint8Array {
		const taken = new Uint8Array(length);
		if (length > reserveLength / 4) return randomFillSync(taken);
		this.fillFor(length);
		const end = this.position + length;
		taken.set(this.reserve.subarray(this.position, end));
		this.reserve.fill(0, this.position, end);
		this.position = end;
		return taken;
	}

	takeByte(): number {
		this.fillFor(1);
		const byte = this.reserve[this.position] ?? 0;
		this.reserve[this.position++] = 0;
		return byte;
	}

	private fillFor(length: number): void {
		if (this.position + length <= reserveLength) return;
		randomFillSync(this.reserve);
		this.position = 0;
	}
}

const reserve = new RandomReserve();

export const systemRandom: Random = {
	bytes: (length) => reserve.take(length),
	text: (length, alphabet) => {
		if (alphabet.length > 256) throw new TypeError('Expected at most 256 characters to draw from');
		// Bytes beyond the last whole multiple would favour the first characters.
		const bound = 256 - (256 % alphabet.length);
		let text = '';
		while (text.length < length) {
			const byte = reserve.takeByte();
			if (byte < bound) text += alphabet.charAt(byte % alphabet.length);
		}
		return text;
	},
};
