import type { Clock } from '../../base/clock';
import type { Backbone } from '../../backbone/backbone';
import type { WriteTransaction } from '../../store/store';

/** What the names of these counters begin with; each is called after its relationship. */
export const transmitCounters = 'transmit:';

/** earlier than the first release: counters of older accounts, which began at 0, are lower than the clock's */
const beginning = Date.UTC(2024, 0, 1);
/** half of all numbers, reached in 2092: a clock that shows a later time is wrong */
const latestByClock = 2 ** 31;

export interface TransmitClock {
	readonly clock: Clock;
	readonly backbone: Pick<Backbone, 'clockSkewMs'>;
}

/** Name of the counter of what we send in a relationship (docs/protocol/crypto-and-identity.md 7). */
export function transmitCounter(relationshipId: string): string {
	return `${transmitCounters}${relationshipId}`;
}

/**
 * The number of the next encryption in a relationship: at least the seconds since a fixed date, so
 * that a copy of the account which knows nothing of another one is past its numbers (`docs/adr/0026`).
 */
export async function reserveTransmitCounter(
	tx: WriteTransaction,
	relationshipId: string,
	context: TransmitClock,
): Promise<number> {
	return await tx.counters.reserve(transmitCounter(relationshipId), lowestByClock(context));
}

/** A clock that is behind that of the Backbone is not believed. */
export function lowestByClock({ clock, backbone }: TransmitClock): number {
	const now = clock.now() + Math.max(0, backbone.clockSkewMs ?? 0);
	const seconds = Math.floor((now - beginning) / 1_000);
	return seconds > 0 && seconds < latestByClock ? seconds : 0;
}
