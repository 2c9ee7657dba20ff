import type { Store } from '../../../core/store/store';
import { size } from '../../support/sizes';
import type { HostOfTest } from '../store.contract';

/** Ends of the blocks that the first 5,000 numbers from 100 on are taken from. */
const blockEnds = [102, 104, 108, 116, 132, 164, 228, 356, 612, 1_124, 2_148, 3_172, 4_196, 5_220];

/** The longest blocks begin to repeat after 2,000 numbers. */
const taken = size({ quick: 2_200, full: 5_000 });

const reserve = (store: Store, name: string, atLeast?: number) =>
	store.transact((tx) => tx.counters.reserve(name, atLeast));

export function numberPromises(host: HostOfTest): void {
	describe('a counter', () => {
		it('starts at zero, or at the lowest number that is wanted, and goes on by one', async () => {
			const { store } = host();
			const numbers = [
				await reserve(store, 'a'),
				await reserve(store, 'a'),
				await reserve(store, 'a', 10),
				await reserve(store, 'a', 3),
				await reserve(store, 'b'),
				await reserve(store, 'c', 5_000),
				await reserve(store, 'a'),
			];
			expect(numbers).toEqual([0, 1, 10, 11, 0, 5_000, 12]);
		});

		it('goes on within one transaction', async () => {
			const { store } = host();
			const numbers = await store.transact(async (tx) => [
				await tx.counters.reserve('a'),
				await tx.counters.reserve('b'),
				await tx.counters.reserve('a'),
			]);
			expect(numbers).toEqual([0, 0, 1]);
		});

		it('hands out again what was reserved by a transaction that failed', async () => {
			const { store } = host();
			const failing = store.transact(async (tx) => {
				await tx.counters.reserve('a');
				throw new Error('no');
			});
			await expect(failing).rejects.toThrow('no');
			expect([await reserve(store, 'a'), await reserve(store, 'a')]).toEqual([0, 1]);
		});

		it('is covered by a block, which is longer far beyond the lowest number', async () => {
			const { store } = host();
			const blocks: number[] = [];
			for (let index = 0; index < taken; index++) {
				await reserve(store, 'a', 100);
				const list = await store.read((tx) => tx.counters.list());
				const end = list.find(({ name }) => name === 'block')?.next ?? 0;
				if (blocks.at(-1) !== end) blocks.push(end);
			}
			expect(blocks).toEqual(blockEnds.slice(0, size({ quick: 12, full: 14 })));
			expect(await reserve(store, 'b', 100)).toBe(100);
		});

		it('never hands out a number twice to callers at the same time', async () => {
			const { store } = host();
			const numbers = await Promise.all(Array.from({ length: 50 }, () => reserve(store, 'a')));
			expect(new Set(numbers).size).toBe(50);
		});

		it('is listed with how many numbers it has handed out', async () => {
			const { store } = host();
			expect(await store.read((tx) => tx.counters.list())).toEqual([]);
			await reserve(store, 'b', 2);
			await reserve(store, 'a');
			const expected = [
				{ name: 'a', next: 1 },
				{ name: 'b', next: 3 },
				{ name: 'block', next: 4 },
			];
			expect(await store.read((tx) => tx.counters.list())).toEqual(expected);
			expect(await store.transact((tx) => tx.counters.list())).toEqual(expected);
		});

		it('moves forward by prefix, wildcards taken literally', async () => {
			const { store } = host();
			for (const name of ['transmit:a', 'transmit:b', 'transmit_c', '%', 'outbox']) {
				await reserve(store, name);
			}
			await store.transact(async (tx) => {
				await tx.counters.raiseAll('transmit:', 101);
				await tx.counters.raiseAll('%', 8);
				await tx.counters.raiseAll('transmit:', 50);
			});
			const next = [];
			for (const name of ['transmit:a', 'transmit:b', 'transmit_c', '%']) {
				next.push(await reserve(store, name));
			}
			expect(next).toEqual([101, 101, 1, 8]);
		});

		it('begins anew after it was deleted', async () => {
			const { store } = host();
			await reserve(store, 'a', 5);
			await store.transact((tx) => tx.counters.delete('a'));
			expect(await reserve(store, 'a')).toBe(0);
		});

		it.each([-1, 1.5, Number.NaN])('refuses to begin with %d', async (atLeast) => {
			await expect(reserve(host().store, 'a', atLeast)).rejects.toThrow(TypeError);
		});
	});

	describe('a lease', () => {
		const take = (store: Store, name: string, holder: string): Promise<boolean> =>
			store.transact((tx) => tx.leases.take(name, holder, 1_000));

		it('belongs to one holder until it is over', async () => {
			const { store, clock } = host();
			expect(await take(store, 'sync', 'a')).toBe(true);
			expect(await take(store, 'sync', 'b')).toBe(false);
			clock.advance(999);
			expect(await take(store, 'sync', 'b')).toBe(false);
			clock.advance(1);
			expect(await take(store, 'sync', 'b')).toBe(true);
			expect(await take(store, 'sync', 'a')).toBe(false);
		});

		it('is prolonged by its holder', async () => {
			const { store, clock } = host();
			await take(store, 'sync', 'a');
			clock.advance(900);
			expect(await take(store, 'sync', 'a')).toBe(true);
			clock.advance(900);
			expect(await take(store, 'sync', 'b')).toBe(false);
		});

		it('is given back by its holder only', async () => {
			const { store } = host();
			await take(store, 'sync', 'a');
			await store.transact((tx) => tx.leases.drop('sync', 'b'));
			expect(await take(store, 'sync', 'b')).toBe(false);
			await store.transact((tx) => tx.leases.drop('sync', 'a'));
			expect(await take(store, 'sync', 'b')).toBe(true);
		});

		it('does not concern leases of other names', async () => {
			const { store } = host();
			await take(store, 'sync', 'a');
			expect(await take(store, 'push', 'b')).toBe(true);
		});

		it('does not outlast a clock that is set back', async () => {
			const { store, clock } = host();
			await take(store, 'sync', 'a');
			clock.advance(-3_600_000);
			expect(await take(store, 'sync', 'b')).toBe(true);
		});

		it('goes to one of those who ask at the same time', async () => {
			const { store } = host();
			const answers = await Promise.all(
				['a', 'b', 'c'].map((holder) => take(store, 'sync', holder)),
			);
			expect(answers.filter((held) => held)).toHaveLength(1);
		});
	});

	describe('a marked name', () => {
		it('is of a living process as long as this one has the account open', async () => {
			const { store } = host();
			const marked = await store.transact((tx) => Promise.resolve(tx.leases.mark('a')));
			expect(marked).toMatch(/^a~-?[A-Za-z0-9]+$/);
			expect(await store.read((tx) => tx.leases.isGone(marked))).toBe(false);
			expect(await store.transact((tx) => tx.leases.isGone(marked))).toBe(false);
		});

		it('tells nothing where no mark can be told', async () => {
			const { store } = host();
			for (const name of ['', 'a', 'a~', 'a~b c', '1@host#x']) {
				expect(await store.read((tx) => tx.leases.isGone(name))).toBe(false);
			}
		});
	});

	it('the time goes on with the clocks of all hosts', async () => {
		const { store, clock } = host();
		await store.transact((tx) => tx.counters.reserve('any'));
		const before = store.clock.now();
		clock.advance(60_000);
		expect(store.clock.now() - before).toBe(60_000);
	});
}
