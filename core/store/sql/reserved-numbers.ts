import type { Random } from '../../base/random';
import { storeErrors } from '../store-errors';

/** Counter of the end of the newest block, up to which a commit on the disk covers the numbers. */
export const blockCounter = 'block';
/**
 * numbers in a block: larger blocks would skip more numbers at the next start, smaller ones would
 * wait for the disk more often
 */
const blockSize = { least: 2, most: 1_024 };

/**
 * Numbers that a process may skip at random when it begins. The further the numbers are ahead of
 * the lowest allowed value, the fewer: they stay within `range` of it, however often processes
 * start.
 */
const skipped = { least: 2 ** 7, most: 2 ** 16, range: 2 ** 20 };

/** Stored values of a counter and of the end of the newest block. */
export interface StoredNumbers {
	readonly next: number;
	readonly blockEnd: number;
}

export interface Reservation {
	readonly number: number;
	/**
	 * End that the block must have on the disk before the number is used; absent when the current
	 * block suffices.
	 */
	readonly blockEnd?: number;
}

/**
 * Numbers that one open store has handed out (`docs/adr/0026`). A number is used only below the end
 * of a block whose commit has reached the disk. A process that opens the database begins at the end
 * of the newest block, so that commits lost in a power failure never return a number.
 */
export class ReservedNumbers {
	/** first number of this process; unknown until the first reservation after connecting */
	private start: number | undefined;

	/** random distance of this process from the lowest allowed value */
	private distance = 0;

	/** end of the numbers that are known to be covered on the disk */
	private safeEnd = 0;

	private readonly nextOf = new Map<string, number>();

	/** number of times the connection to the database was lost and restored */
	reconnections = 0;

	private hasConnected = false;

	/** True if this store has handed out numbers that the database could have lost. */
	get hasHandedOut(): boolean {
		return this.nextOf.size > 0;
	}

	/** Notes a new connection. While there was none, an older copy may have replaced the database. */
	connectedAnew(): void {
		if (this.hasConnected) this.reconnections++;
		this.hasConnected = true;
		this.beginAnew();
	}

	/** Ends the current block: the next number belongs to another one. */
	beginAnew(): void {
		this.start = undefined;
		this.safeEnd = 0;
	}

	/**
	 * Reserves a number.
	 *
	 * @param spread source of the random part of the numbers of this process; without one, they begin
	 * right after the newest block
	 * @throws `error.gateway.store.rolledBack` when the database has lost numbers that this store
	 * handed out
	 */
	reserve(name: string, stored: StoredNumbers, atLeast: number, spread?: Random): Reservation {
		this.requireRemembered(name, stored.next);
		this.requireRemembered(blockCounter, stored.blockEnd);
		this.start ??= this.startAfter(stored.blockEnd, atLeast, spread);
		const lowest = atLeast + this.distance;
		const number = Math.max(stored.next, this.start, lowest);
		if (number < this.safeEnd) return { number };
		return { number, blockEnd: Math.max(stored.blockEnd, number + sizeOf(number, lowest)) };
	}

	/**
	 * Copies of one database that do not know each other begin at different numbers, and stay apart
	 * while the clock moves them on.
	 */
	private startAfter(blockEnd: number, atLeast: number, spread: Random | undefined): number {
		this.distance = spread === undefined ? 0 : drawn(spread, blockEnd - atLeast);
		return this.distance === 0 ? blockEnd : Math.max(blockEnd, atLeast) + this.distance;
	}

	/**
	 * Checks all counters, once after connecting. A missing counter is accepted: another process may
	 * have deleted it together with its relationship.
	 *
	 * @throws `error.gateway.store.rolledBack`
	 */
	requireAllRemembered(stored: ReadonlyArray<{ readonly name: string; next: number }>): void {
		for (const { name, next } of stored) this.requireRemembered(name, next);
	}

	/** Notes that the transaction has been committed and that a new block, if any, is on the disk. */
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
 * Calculates the size of a block as the number of values above the lowest allowed value. Where the
 * lowest allowed value grows with the clock, it soon catches up with the numbers skipped at a
 * start, and a process that sends many messages waits for the disk less and less often.
 */
function sizeOf(number: number, atLeast: number): number {
	return Math.min(blockSize.most, Math.max(blockSize.least, number - atLeast));
}

function drawn(random: Random, ahead: number): number {
	const { least, most, range } = skipped;
	const limit = Math.min(most, Math.max(least, Math.floor((range - ahead) / 16)));
	const [a = 0, b = 0, c = 0] = random.bytes(3);
	return (((a << 16) | (b << 8) | c) % limit) + 1;
}
