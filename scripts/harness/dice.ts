/** Random numbers that are the same in every run with the same seed (mulberry32). */
export class Dice {
	private state: number;

	constructor(seed: number) {
		this.state = seed | 0;
	}

	/** number from 0 (inclusive) to 1 (exclusive) */
	roll(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	}

	below(end: number): number {
		return Math.floor(this.roll() * end);
	}

	happens(probability: number): boolean {
		return this.roll() < probability;
	}

	pick<Value>(values: readonly Value[]): Value {
		const value = values[this.below(values.length)];
		if (value === undefined) throw new TypeError('there is nothing to pick from');
		return value;
	}

	/** the same values in another order */
	shuffled<Value>(values: readonly Value[]): Value[] {
		const left = [...values];
		return values.flatMap(() => left.splice(this.below(left.length), 1));
	}

	bytes(length: number): Buffer {
		return Buffer.from(Array.from({ length }, () => this.below(256)));
	}
}
