/** Numbers that follow from a seed alone, so that a failing script can be played again. */
export class Dice {
	constructor(private state: number) {}

	/** 0 to below 1 (the generator known as mulberry32) */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	/** 1 to `highest` */
	number(highest: number): number {
		return 1 + Math.floor(this.next() * highest);
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<Item>(items: readonly Item[]): Item {
		const item = items[Math.floor(this.next() * items.length)];
		if (item === undefined) throw new RangeError('There is nothing to pick from');
		return item;
	}

	/** The larger its weight, the more often an item is picked. */
	weighted<Item>(items: ReadonlyArray<readonly [weight: number, item: Item]>): Item {
		let left = this.next() * items.reduce((sum, [weight]) => sum + weight, 0);
		const found = items.find(([weight]) => (left -= weight) < 0) ?? items.at(-1);
		if (found === undefined) throw new RangeError('There is nothing to pick from');
		return found[1];
	}
}
