/** Bounded concurrency gate, first come first served. */
export class Limit {
	private active = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly maxActive: number) {}

	async run<Result>(work: () => Promise<Result>): Promise<Result> {
		if (this.active >= this.maxActive) {
			await new Promise<void>((resolve) => {
				this.waiting.push(resolve);
			});
		} else {
			this.active++;
		}
		try {
			return await work();
		} finally {
			// The slot is handed to the next in line, never freed in between: no caller can overtake.
			const next = this.waiting.shift();
			if (next === undefined) this.active--;
			else next();
		}
	}
}
