import type { Store } from '../../../core/store/store';
import type { HostOfTest } from '../store.contract';

const reserve = (store: Store, name: string, count?: number) =>
	store.transact((tx) => tx.counters.reserve(name, count));

export function numberPromises(host: HostOfTest): void {
	describe('a counter', () => {
		it('starts at zero and hands out ranges that follow each other', async () => {
			const { store } = host();
			const firsts = [
				await reserve(store, 'a'),
				await reserve(store, 'a', 3),
				await reserve(store, 'b'),
				await reserve(store, 'a'),
			];
			expect(firsts).toEqual([0, 1, 0, 4]);
		});

		it('never hands out a number twice to callers at the same time', async () => {
			const { store } = host();
			const numbers = await Promise.all(Array.from({ length: 50 }, () => reserve(store, 'a')));
			expect(new Set(numbers).size).toBe(50);
		});

		it('is listed with how many numbers it has handed out', async () => {
			const { store } = host();
			expect(await store.read((tx) => tx.counters.list())).toEqual([]);
			await reserve(store, 'b', 3);
			await reserve(store, 'a');
			const expected = [
				{ name: 'a', next: 1 },
				{ name: 'b', next: 3 },
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
				await tx.counters.skip('transmit:', 100);
				await tx.counters.skip('%', 7);
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

		it.each([0, -1, 1.5])('refuses to reserve %d numbers', async (count) => {
			await expect(reserve(host().store, 'a', count)).rejects.toThrow(TypeError);
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
}
