interface Unsettled {
	/** events with the same key are delivered in order */
	readonly key: string;
	isTaken: boolean;
}

/**
 * Events that a consumer has read and not settled yet, by sequence number. Chooses what is
 * delivered next: events of one key stay in order, because a key is busy until its delivery is
 * settled.
 */
export class UnsettledEvents {
	/** in the order of the sequence numbers */
	private readonly events = new Map<number, Unsettled>();

	private readonly busy = new Set<string>();

	get size(): number {
		return this.events.size;
	}

	get sequences(): Iterable<number> {
		return this.events.keys();
	}

	/** Adds an event that is newer than all others. */
	add(sequence: number, key: string): void {
		this.events.set(sequence, { key, isTaken: false });
	}

	/**
	 * Takes the next events that may be delivered together; empty if there are none. A delivery that
	 * was begun earlier is taken again with the events it had, none of which gets into another one.
	 *
	 * @param begun sequence numbers of the events of earlier deliveries, by the first of them
	 * @param readUpTo sequence number up to which events were added
	 */
	take(limit: number, begun: ReadonlyMap<number, readonly number[]>, readUpTo: number): number[] {
		const taken: number[] = [];
		const blocked = new Set(this.busy);
		for (const [sequence, { key, isTaken }] of this.events) {
			if (isTaken) continue;
			const together = begun.get(sequence);
			if (together === undefined) {
				if (blocked.has(key)) continue;
				taken.push(sequence);
				if (taken.length === limit) break;
				continue;
			}
			const keys = together.flatMap((each) => this.events.get(each)?.key ?? []);
			const isRead = (together.at(-1) ?? 0) <= readUpTo;
			const isFree = isRead && !keys.some((each) => blocked.has(each));
			if (isFree && taken.length === 0) return this.mark(together);
			for (const each of keys) blocked.add(each);
		}
		return this.mark(taken);
	}

	/** Forgets settled events, which frees their keys. */
	settle(sequences: Iterable<number>): void {
		for (const sequence of sequences) {
			const event = this.events.get(sequence);
			if (event?.isTaken === true) this.busy.delete(event.key);
			this.events.delete(sequence);
		}
	}

	private mark(sequences: readonly number[]): number[] {
		const marked: number[] = [];
		for (const sequence of sequences) {
			const event = this.events.get(sequence);
			if (event === undefined) continue;
			event.isTaken = true;
			this.busy.add(event.key);
			marked.push(sequence);
		}
		return marked;
	}
}
