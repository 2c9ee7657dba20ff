import { backOffMs, drawJitter, withJitter } from '../../../core/base/back-off';
import {
	defaultPushTimings,
	waitBeforeReconnecting,
} from '../../../core/backbone/push/push-timings';

describe('a back-off', () => {
	it('doubles the wait with each failure in a row, up to the longest one', () => {
		const waits = { firstMs: 250, longestMs: 2_000 };
		const row = [1, 2, 3, 4, 5, 6].map((failures) => backOffMs(failures, waits));
		expect(row).toEqual([250, 500, 1_000, 2_000, 2_000, 2_000]);
	});

	it('stays a number after any number of failures, also without a first wait', () => {
		expect(backOffMs(10_000, { firstMs: 1, longestMs: 50 })).toBe(50);
		expect(backOffMs(10_000, { firstMs: 0, longestMs: 50 })).toBe(0);
	});

	it('spreads a wait between half and all of it, or another share', () => {
		expect([0, 0.5, 1].map((jitter) => withJitter(1_000, jitter))).toEqual([500, 750, 1_000]);
		expect([0, 1].map((jitter) => withJitter(1_000, jitter, 0.25))).toEqual([750, 1_000]);
	});

	it('draws a jitter between 0 and 1', () => {
		const drawn = (byte: number): number =>
			drawJitter({ bytes: () => Uint8Array.of(byte), text: () => '' });
		expect([0, 255].map(drawn)).toEqual([0, 1]);
	});
});

describe('the wait before a push stream is opened again', () => {
	const wait = (failures: number, isAbsent = false, jitter = 1): number =>
		waitBeforeReconnecting(defaultPushTimings, { failures, isAbsent }, jitter);

	it('is short after a good connection and grows to a minute, to ten where there is no push', () => {
		expect(wait(0)).toBe(500);
		expect([1, 2, 3, 6, 100].map((failures) => wait(failures))).toEqual([
			3_000, 6_000, 12_000, 60_000, 60_000,
		]);
		expect(wait(100, true)).toBe(600_000);
		expect(wait(1, false, 0)).toBe(2_250);
	});
});
