import type { Store } from '../../../core/store/store';
import { messageRecord, messageSecrets } from '../../support/records';
import type { HostOfTest } from '../store.contract';
import { fillWithMessages } from './queries';

export function scanPromises(host: HostOfTest): void {
	describe('a scan', () => {
		/** Pages of two until there is nothing left. */
		async function scanned(store: Store): Promise<string[][]> {
			return await store.read(async (tx) => {
				const pages: string[][] = [];
				for (let position = 0; ;) {
					const page = await tx.messages.scan(position, 2);
					if (page.entries.length === 0) return pages;
					pages.push(page.entries.map(({ record }) => record.id));
					({ position } = page);
				}
			});
		}

		it('gives everything once in the order of insertion, page by page', async () => {
			const { store } = host();
			await fillWithMessages(store);
			expect(await scanned(store)).toEqual([['1', '2'], ['3', '4'], ['5']]);
		});

		it('passes over what was removed, and an update keeps its place', async () => {
			const { store } = host();
			await fillWithMessages(store);
			await store.transact(async (tx) => {
				await tx.messages.delete('2');
				await tx.messages.update(messageRecord('1', { wasReadAt: '2031-01-01T00:00:00.000Z' }));
				await tx.messages.insert(messageRecord('2'), messageSecrets);
			});
			expect(await scanned(store)).toEqual([['1', '3'], ['4', '5'], ['2']]);
		});
	});
}
