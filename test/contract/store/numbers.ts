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
		it('belongs to one holder until it is over', async () => {
			const { store, clock } = host();
			expect(await store.acquireLease('sync', 'a', 1_000)).toBe(true);
			expect(await store.acquireLease('sync', 'b', 1_000)).toBe(false);
			clock.advance(999);
			expect(await store.acquireLease('sync', 'b', 1_000)).toBe(false);
			clock.advance(1);
			expect(await store.acquireLease('sync', 'b', 1_000)).toBe(true);
			expect(await store.acquireLease('sync', 'a', 1_000)).toBe(false);
		});

		it('is prolonged by its holder', async () => {
			const { store, clock } = host();
			await store.acquireLease('sync', 'a', 1_000);
			clock.advance(900);
			expect(await store.acquireLease('sync', 'a', 1_000)).toBe(true);
			clock.advance(900);
			expect(await store.acquireLease('sync', 'b', 1_000)).toBe(false);
		});

		it('is given back by its holder only', async () => {
			const { store } = host();
			await store.acquireLease('sync', 'a', 1_000);
			await store.releaseLease('sync', 'b');
			expect(await store.acquireLease('sync', 'b', 1_000)).toBe(false);
			await store.releaseLease('sync', 'a');
			expect(await store.acquireLease('sync', 'b', 1_000)).toBe(true);
		});

		it('does not concern leases of other names', async () => {
			const { store } = host();
			await store.acquireLease('sync', 'a', 1_000);
			expect(await store.acquireLease('push', 'b', 1_000)).toBe(true);
		});

		it('does not outlast a clock that is set back', async () => {
			const { store, clock } = host();
			await store.acquireLease('sync', 'a', 1_000);
			clock.advance(-3_600_000);
			expect(await store.acquireLease('sync', 'b', 1_000)).toBe(true);
		});

		it('goes to one of those who ask at the same time', async () => {
			const { store } = host();
			const answers = await Promise.all(
				['a', 'b', 'c'].map((holder) => store.acquireLease('sync', holder, 1_000)),
			);
			expect(answers.filter((held) => held)).toHaveLength(1);
		});
	});
}
