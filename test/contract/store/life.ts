import type { HostOfTest } from '../store.contract';

export function lifePromises(host: HostOfTest): void {
	describe('the life of an account', () => {
		const arriving = { state: 'arriving', move: 'm', from: 'there', since: 'now' } as const;

		it('is living from the first moment', async () => {
			const { store } = host();
			expect(await store.read((tx) => tx.life.get())).toEqual({ state: 'living' });
		});

		it('is what was set last, together with what else the transaction did', async () => {
			const { store } = host();
			await store.transact((tx) => tx.life.set(arriving));
			await store
				.transact(async (tx) => {
					await tx.life.set({ state: 'living', move: 'm' });
					throw new Error('changed my mind');
				})
				.catch(() => undefined);
			expect(await store.read((tx) => tx.life.get())).toEqual(arriving);
			await store.transact((tx) => tx.life.set({ state: 'living', move: 'm' }));
			expect(await store.read((tx) => tx.life.get())).toEqual({ state: 'living', move: 'm' });
		});
	});
}
