import type { Random } from '../../../../core/base/random';
import { ReservedNumbers } from '../../../../core/store/sql/reserved-numbers';

const rolledBack = expect.objectContaining({ code: 'error.gateway.store.rolledBack' }) as Error;

/** Reserves a number and notes its commit, as a transaction does. */
function take(
	numbers: ReservedNumbers,
	stored: { next: number; blockEnd: number },
	atLeast = 0,
	name = 'a',
) {
	const reservation = numbers.reserve(name, stored, atLeast);
	numbers.committed(name, reservation);
	return reservation;
}

describe('the numbers of an open store', () => {
	let numbers: ReservedNumbers;

	beforeEach(() => {
		numbers = new ReservedNumbers();
	});

	it('begin at the end of the newest block, which a former process may have used up', () => {
		expect(take(numbers, { next: 3, blockEnd: 8 })).toEqual({ number: 8, blockEnd: 16 });
	});

	it('need a new block only at the end of the block', () => {
		expect(take(numbers, { next: 0, blockEnd: 0 })).toEqual({ number: 0, blockEnd: 2 });
		expect(take(numbers, { next: 1, blockEnd: 2 })).toEqual({ number: 1 });
		expect(take(numbers, { next: 2, blockEnd: 2 })).toEqual({ number: 2, blockEnd: 4 });
	});

	it('keep the longer block of another process', () => {
		take(numbers, { next: 0, blockEnd: 0 });
		expect(take(numbers, { next: 2, blockEnd: 100 })).toEqual({ number: 2, blockEnd: 100 });
		expect(take(numbers, { next: 3, blockEnd: 100 })).toEqual({ number: 3 });
	});

	it('need the block of a commit that failed once more', () => {
		numbers.reserve('a', { next: 0, blockEnd: 0 }, 0);
		expect(numbers.reserve('a', { next: 0, blockEnd: 0 }, 0)).toEqual({ number: 0, blockEnd: 2 });
	});

	it('have blocks that grow with the distance to the lowest number, up to a limit', () => {
		expect(take(numbers, { next: 50, blockEnd: 0 }, 40)).toEqual({ number: 50, blockEnd: 60 });
		expect(take(numbers, { next: 9_000, blockEnd: 60 }, 40)).toEqual({
			number: 9_000,
			blockEnd: 10_024,
		});
	});

	it('are handed out once a commit has succeeded', () => {
		expect(numbers.hasHandedOut).toBe(false);
		const reservation = numbers.reserve('a', { next: 0, blockEnd: 0 }, 0);
		expect(numbers.hasHandedOut).toBe(false);
		numbers.committed('a', reservation);
		expect(numbers.hasHandedOut).toBe(true);
	});

	describe('in a database that has become an older copy of itself', () => {
		beforeEach(() => {
			take(numbers, { next: 4, blockEnd: 0 });
			take(numbers, { next: 5, blockEnd: 8 }, 0, 'b');
		});

		it.each([
			['the counter has gone back', { next: 4, blockEnd: 8 }],
			['the end of the block has gone back', { next: 5, blockEnd: 7 }],
		])('are refused when %s', (_name, stored) => {
			expect(() => numbers.reserve('a', stored, 0)).toThrow(rolledBack);
		});

		it('are handed out where the database has kept everything', () => {
			expect(take(numbers, { next: 5, blockEnd: 8 })).toEqual({ number: 5 });
		});

		it('are refused after a reconnection when any counter has gone back', () => {
			const kept = { name: 'a', next: 5 };
			numbers.requireAllRemembered([kept, { name: 'b', next: 6 }]);
			numbers.requireAllRemembered([kept, { name: 'unknown', next: 0 }]);
			const lost = { name: 'b', next: 5 };
			expect(() => numbers.requireAllRemembered([kept, lost])).toThrow(rolledBack);
		});

		it('begin anew for a counter that was deleted', () => {
			numbers.forget('a');
			expect(take(numbers, { next: 0, blockEnd: 8 })).toEqual({ number: 0 });
		});

		it('remember the highest number, in whatever order the commits are noted', () => {
			numbers.committed('a', { number: 9 });
			numbers.committed('a', { number: 7 });
			expect(() => numbers.reserve('a', { next: 9, blockEnd: 8 }, 0)).toThrow(rolledBack);
		});
	});

	describe('of copies that do not know each other', () => {
		const random = (value: number): Random => ({
			bytes: () => Uint8Array.of(value >> 16, (value >> 8) & 255, value & 255),
			text: () => '',
		});
		const reserveWith = (value: number, blockEnd: number, atLeast: number): number =>
			numbers.reserve('a', { next: 0, blockEnd }, atLeast, random(value)).number;

		it.each([
			['at the clock', 0, 1_000, 2 ** 16],
			['a little ahead of it', 2_000, 1_000, 2 ** 16 - 63],
			['far ahead of it', 1_000 + 2 ** 20, 1_000, 2 ** 7],
		])('begin %s within a distance', (_where, blockEnd, atLeast, limit) => {
			const start = Math.max(blockEnd, atLeast);
			expect(reserveWith(0, blockEnd, atLeast)).toBe(start + 1);
			numbers.beginAnew();
			expect(reserveWith(limit - 1, blockEnd, atLeast)).toBe(start + limit);
			numbers.beginAnew();
			expect(reserveWith(limit, blockEnd, atLeast)).toBe(start + 1);
		});

		it('keep their distance while the clock moves on', () => {
			const spread = random(99);
			expect(numbers.reserve('a', { next: 0, blockEnd: 0 }, 1_000, spread).number).toBe(1_100);
			const later = numbers.reserve('a', { next: 1_101, blockEnd: 1_300 }, 5_000, spread);
			expect(later.number).toBe(5_100);
		});
	});

	it('count the connections after the first, each of which begins at the end of the block', () => {
		numbers.connectedAnew();
		expect(numbers.reconnections).toBe(0);
		take(numbers, { next: 0, blockEnd: 0 });
		numbers.connectedAnew();
		expect(numbers.reconnections).toBe(1);
		numbers.connectedAnew();
		expect(numbers.reconnections).toBe(2);
		expect(take(numbers, { next: 1, blockEnd: 2 })).toEqual({ number: 2, blockEnd: 4 });
	});
});
