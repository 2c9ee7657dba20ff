import { clocksAgree, type Clock } from '../../base/clock';
import type { Random } from '../../base/random';
import type { Backbone } from '../../backbone/port/backbone';
import type { WriteTransaction } from '../../store/store';

/** Prefix of the counters' names; the id of the relationship follows. */
export const transmitCounters = 'transmit:';

/**
 * earlier than the first release: counters of older accounts, which began at 0, are lower than the
 * clock's
 */
const beginning = Date.UTC(2024, 0, 1);
/** half of all numbers, reached in 2092: a clock that shows a later time is wrong */
const latestByClock = 2 ** 31;

export interface TransmitClock {
	readonly clock: Clock;
	readonly backbone: Pick<Backbone, 'clockSkewMs'>;
}

export interface TransmitNumbers extends TransmitClock {
	readonly random: Random;
}

/**
 * Counter name for all encryptions of this account in a relationship
 * (docs/protocol/crypto-and-identity.md 7).
 */
export function transmitCounter(relationshipId: string): string {
	return `${transmitCounters}${relationshipId}`;
}

/**
 * Reserves the number of the next encryption in a relationship. It is at least the seconds since a
 * fixed date, so that a copy of the account without knowledge of another copy is past its numbers
 * (`docs/adr/0026`).
 */
export async function reserveTransmitCounter(
	tx: WriteTransaction,
	relationshipId: string,
	context: TransmitNumbers,
): Promise<number> {
	const lowest = lowestByClock(context);
	return await tx.counters.reserve(transmitCounter(relationshipId), lowest, context.random);
}

/**
 * Lowest number by the clock, or by the Backbone's clock if the host's is up to a day behind; 0 for
 * an implausible time.
 */
export function lowestByClock({ clock, backbone }: TransmitClock): number {
	const skewMs = backbone.clockSkewMs ?? 0;
	const now = clock.now() + (clocksAgree(skewMs) ? Math.max(0, skewMs) : 0);
	const seconds = Math.floor((now - beginning) / 1_000);
	return seconds > 0 && seconds < latestByClock ? seconds : 0;
}
