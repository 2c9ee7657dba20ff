import type { Store } from '../../../core/store/store';
import { createdAt, newEvent } from '../../support/records';
import type { HostOfTest } from '../store.contract';

const append = (store: Store, id: string) =>
	store.transact((tx) => tx.outbox.append(newEvent({ id })));

const consumer = { name: 'c', position: 1, parked: [], seenAt: createdAt };

export function listenerPromises(host: HostOfTest): void {
	describe('a listener for events', () => {
		it('is told after the commit, not before and not without events', async () => {
			const { store } = host();
			let told = 0;
			const stop = store.onEventsAppended(() => told++);
			await store.transact(async (tx) => {
				await tx.outbox.append(newEvent());
				expect(told).toBe(0);
			});
			expect(told).toBe(1);
			await store.transact((tx) => tx.consumers.put(consumer));
			await expect(
				store.transact(async (tx) => {
					await tx.outbox.append(newEvent());
					throw new Error('undone');
				}),
			).rejects.toThrow('undone');
			expect(told).toBe(1);
			stop();
			await append(store, 'b');
			expect(told).toBe(1);
		});

		it('is told of nothing once the store is closing', async () => {
			const { store } = host();
			let told = 0;
			store.onEventsAppended(() => told++);
			let closing: Promise<void> | undefined;
			await store.transact(async (tx) => {
				closing = store.close();
				await tx.outbox.append(newEvent());
			});
			await closing;
			expect(told).toBe(0);
		});

		it('cannot make a commit look failed', async () => {
			const { store } = host();
			store.onEventsAppended(() => {
				throw new Error('listener');
			});
			await append(store, 'a');
			expect(await store.read((tx) => tx.outbox.lastSequence())).toBe(1);
		});
	});
}
