import {
	lowestByClock,
	reserveTransmitCounter,
	transmitCounters,
} from '../../../../core/domain/relationship/transmit-counter';
import { openMemoryStore } from '../../../support/store';

const beginning = Date.parse('2024-01-01T00:00:00.000Z');

const byClock = (now: number, clockSkewMs?: number): number =>
	lowestByClock({ clock: { now: () => now }, backbone: { clockSkewMs } });

describe('the lowest counter by the clock', () => {
	it.each([
		[beginning, undefined, 0],
		[beginning + 999, undefined, 0],
		[beginning + 1_000, undefined, 1],
		[beginning + 1_999, undefined, 1],
		[beginning + 10_000, 5_000, 15],
		[beginning + 10_000, -5_000, 10],
		[beginning + 10_000, 24 * 3_600_000, 86_410],
		[beginning + 10_000, 24 * 3_600_000 + 1, 10],
		[beginning - 1_000, undefined, 0],
		[beginning + (2 ** 31 - 1) * 1_000, undefined, 2 ** 31 - 1],
		[beginning + 2 ** 31 * 1_000, undefined, 0],
	])('at %i, with a skew of %s ms, is %i', (now, skewMs, expected) => {
		expect(byClock(now, skewMs)).toBe(expected);
	});

	it('and the distance of the process are the first of a relationship, and each has its own', async () => {
		const store = await openMemoryStore();
		const random = { bytes: () => new Uint8Array(3), text: () => '' };
		const context = {
			clock: { now: () => beginning + 6_000 },
			backbone: { clockSkewMs: 0 },
			random,
		};
		const reserve = (id: string): Promise<number> =>
			store.transact((tx) => reserveTransmitCounter(tx, id, context));
		expect(await reserve('REL1')).toBe(7);
		expect(await reserve('REL1')).toBe(8);
		expect(await reserve('REL2')).toBe(7);
		await store.transact((tx) => tx.counters.raiseAll(transmitCounters, 100));
		expect(await reserve('REL2')).toBe(100);
		expect(transmitCounters).toBe('transmit:');
		await store.close();
	});
});
