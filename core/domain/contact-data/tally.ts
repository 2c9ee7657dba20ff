import type { ErasedDto } from '../../model/record/contact-data';

/** Counts records by kind, in the order in which the kinds were first counted. */
export class Tally {
	private readonly counts = new Map<string, number>();

	constructor(counted: readonly ErasedDto[] = []) {
		for (const { kind, count } of counted) this.add(kind, count);
	}

	add(kind: string, count: number): void {
		if (count > 0) this.counts.set(kind, (this.counts.get(kind) ?? 0) + count);
	}

	list(): ErasedDto[] {
		return [...this.counts].map(([kind, count]) => ({ kind, count }));
	}
}
