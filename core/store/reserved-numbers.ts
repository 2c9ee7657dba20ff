import { storeErrors } from './store-errors';

/** The counter that says up to where numbers are covered by a commit that has reached the disk. */
export const blockCounter = 'block';
/** numbers of a block: more would skip more at the next start, fewer would wait for the disk more often */
const blockSize = { least: 2, most: 1_024 };

/** What the database says about a counter, and about the end of the newest block. */
export interface StoredNumbers {
	readonly next: number;
	readonly blockEnd: number;
}

export interface Reservation {
	readonly number: number;
	/** Where the block has to end, on the disk, before the number is used; absent when it does already. */
	readonly blockEnd?: number;
}

/**
 * What one open store knows about the numbers that were handed out (`docs/adr/0026`). A number is used
 * only below the end of a block whose commit has reached the disk. A process that opens the database
 * begins at the end of the newest block, so that commits that were lost with the power give no number back.
 */
export class ReservedNumbers {
	/** where the numbers of this process begin; unknown until the first one since it has connected */
	private start: number | undefined;

	/** the end of what is known to be on the disk */
	private safeEnd = 0;

	private readonly nextOf = new Map<string, number>();

	/** how often the connection to the database was lost and made anew */
	reconnections = 0;

	private hasConnected = false;

	/** Whether there is anything that the database could have forgotten. */
	get hasHandedOut(): boolean {
		return this.nextOf.size > 0;
	}

	/** While there was no connection, the database may have been replaced by an older copy. */
	connectedAnew(): void {
		if (this.hasConnected) this.reconnections++;
		this.hasConnected = true;
		this.start = undefined;
		this.safeEnd = 0;
	}

	/** @throws `error.gateway.store.rolledBack` when the database has forgotten what it was told */
	reserve(name: string, stored: StoredNumbers, atLeast: number): Reservation {
		this.requireRemembered(name, stored.next);
		this.requireRemembered(blockCounter, stored.blockEnd);
		this.start ??= stored.blockEnd;
		const number = Math.max(stored.next, this.start, atLeast);
		if (number < this.safeEnd) return { number };
		return { number, blockEnd: Math.max(stored.blockEnd, number + sizeOf(number, atLeast)) };
	}

	/**
	 * Checks all counters, once after connecting. A missing counter may have been deleted by another process,
	 * together with its relationship.
	 *
	 * @throws `error.gateway.store.rolledBack`
	 */
	requireAllRemembered(stored: ReadonlyArray<{ readonly name: string; next: number }>): void {
		for (const { name, next } of stored) this.requireRemembered(name, next);
	}

	/** The transaction has been committed and, for a new block, the disk has it. */
	committed(name: string, { number, blockEnd }: Reservation): void {
		this.note(name, number + 1);
		if (blockEnd === undefined) return;
		this.note(blockCounter, blockEnd);
		this.safeEnd = Math.max(this.safeEnd, blockEnd);
	}

	forget(name: string): void {
		this.nextOf.delete(name);
	}

	private note(name: string, next: number): void {
		this.nextOf.set(name, Math.max(next, this.nextOf.get(name) ?? 0));
	}

	private requireRemembered(name: string, next: number): void {
		if (next >= (this.nextOf.get(name) ?? 0)) return;
		throw storeErrors.create('rolledBack', {
			message:
				'The database has forgotten changes that it had committed: it is an older copy of itself.',
		});
	}
}

/**
 * As many numbers again as there are beyond the lowest one: where that grows with the clock, what was
 * skipped at a start is soon behind it, and who sends much waits for the disk more and more seldom.
 */
function sizeOf(number: number, atLeast: number): number {
	return Math.min(blockSize.most, Math.max(blockSize.least, number - atLeast));
}
