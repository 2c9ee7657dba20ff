import type { HostOfTest } from '../store.contract';

export function accountStatePromises(host: HostOfTest): void {
	describe('the state of an account', () => {
		const arriving = { state: 'arriving', move: 'm', from: 'there', since: 'now' } as const;

		it('is living from the first moment', async () => {
			const { store } = host();
			expect(await store.read((tx) => tx.accountState.get())).toEqual({ state: 'living' });
		});

		it('is what was set last, together with what else the transaction did', async () => {
			const { store } = host();
			await store.transact((tx) => tx.accountState.set(arriving));
			await store
				.transact(async (tx) => {
					await tx.accountState.set({ state: 'living', move: 'm' });
					throw new Error('changed my mind');
				})
				.catch(() => undefined);
			expect(await store.read((tx) => tx.accountState.get())).toEqual(arriving);
			await store.transact((tx) => tx.accountState.set({ state: 'living', move: 'm' }));
			expect(await store.read((tx) => tx.accountState.get())).toEqual({
				state: 'living',
				move: 'm',
			});
		});
	});
}
