import { isoInstant } from '../base/clock';
import { outcomeOf } from '../domain/wait/wait-outcome';
import type { WaitService } from '../domain/wait/wait-service';
import { peersOf } from '../events/filter';
import type { OutboxEvent } from '../model/record/event';
import type { WaitRecord } from '../model/record/wait';
import type { ReadTransaction, Store } from '../store/store';

export interface WaitNewsDependencies {
	readonly store: Store;
	readonly waits: WaitService;
}

/** Events and waits that are read in one transaction. */
const batch = 200;

/**
 * Sequence of the last event that was read. `waits` is the position of a reading of all waits,
 * which comes first.
 */
interface Position {
	readonly sequence: number;
	readonly waits?: number;
}

interface StoredWait {
	readonly record: WaitRecord;
}

interface Found {
	/** waits that have ended */
	readonly ended: WaitRecord[];
	readonly next: Position;
	readonly hasMore: boolean;
}

/**
 * Stores the outcomes of waits that have ended. Every change that can end a wait publishes an
 * event, apart from deadlines. Therefore all waits are read once, and then only the waits that an
 * event concerns, so that the cost of an event does not grow with the number of waits.
 */
export class WaitNews {
	private position: Position | undefined;

	constructor(private readonly parts: WaitNewsDependencies) {}

	/** Returns true if waits have ended, or if there is more to read. */
	async apply(signal: AbortSignal): Promise<boolean> {
		const { store, waits } = this.parts;
		const { ended, next, hasMore } = await store.read((tx) => this.read(tx), { signal });
		if (ended.length > 0) {
			await store.transact(
				async (tx) => {
					for (const { id, key } of ended) {
						const wait = (await tx.waits.get(id))?.record;
						if (wait?.key === key) await waits.decide(tx, wait);
					}
				},
				{ signal },
			);
		}
		this.position = next;
		return hasMore || ended.length > 0;
	}

	/** Lets the next call read all waits; for times in which there are none. */
	forget(): void {
		this.position = undefined;
	}

	private async read(tx: ReadTransaction): Promise<Found> {
		const { sequence, waits } = await this.begin(tx);
		if (waits !== undefined) {
			const { entries, position } = await tx.waits.scan(waits, batch);
			const hasMore = entries.length === batch;
			const next = hasMore ? { sequence, waits: position } : { sequence };
			return { ended: await this.endedOf(tx, entries), next, hasMore };
		}
		const events = await tx.outbox.readAfter(sequence, batch);
		const concerned = events.length === 0 ? [] : await concernedWaits(tx, events);
		return {
			ended: await this.endedOf(tx, concerned),
			next: { sequence: events.at(-1)?.sequence ?? sequence },
			hasMore: events.length === batch,
		};
	}

	/** Begins anew when events were removed before they were read. */
	private async begin(tx: ReadTransaction): Promise<Position> {
		const { position } = this;
		const isComplete =
			position !== undefined && (await tx.outbox.firstSequence()) <= position.sequence + 1;
		return isComplete ? position : { sequence: await tx.outbox.lastSequence(), waits: 0 };
	}

	private async endedOf(tx: ReadTransaction, waits: readonly StoredWait[]): Promise<WaitRecord[]> {
		const now = isoInstant(this.parts.store.clock.now());
		const ended: WaitRecord[] = [];
		for (const { record: wait } of waits) {
			if (wait.outcome !== undefined) continue;
			if ((await outcomeOf(tx, wait, now)) !== undefined) ended.push(wait);
		}
		return ended;
	}
}

async function concernedWaits(
	tx: ReadTransaction,
	events: readonly OutboxEvent[],
): Promise<StoredWait[]> {
	const peers = new Set(events.flatMap((event) => peersOf(event)));
	const subjects = new Set(events.flatMap((event) => concernedSubjects(event)));
	return await tx.waits.list({
		where: [
			{
				op: 'anyOf',
				groups: [
					[{ field: 'peer', op: 'in', value: [...peers] }],
					[{ field: 'subject', op: 'in', value: [...subjects] }],
				],
			},
		],
	});
}

/** A request names the template that it answers as its source. */
function concernedSubjects({ subject, data }: OutboxEvent): string[] {
	const { request = data } = data as { request?: object };
	const { source } = request as { source?: { reference?: unknown } };
	return [subject, source?.reference].filter((id) => typeof id === 'string');
}
