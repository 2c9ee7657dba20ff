import { listAll } from '../../../core/facade/list-pages';
import type { MessageField, Query } from '../../../core/store/store';
import { messageRecord, messageSecrets } from '../../support/records';
import type { HostOfTest } from '../store.contract';

/** more than two pages */
const count = 1_100;

/** Promises of lists that are read from the newest record to the oldest. */
export function wholeListPromises(host: HostOfTest): void {
	describe('whole lists', () => {
		const idOf = (number: number): string => `MSG${number}`;
		const newestFirst = Array.from({ length: count }, (_, number) => idOf(count - 1 - number));

		/** Inserts the records, and lists all; `between` runs after each page. */
		async function listed(between: (page: number) => Promise<void>): Promise<string[]> {
			const { store } = host();
			await store.transact(async (tx) => {
				for (let number = 0; number < count; number++) {
					await tx.messages.insert(messageRecord(idOf(number), {}), messageSecrets);
				}
			});
			let pages = 0;
			const list = async (query: Query<MessageField>) => {
				const entries = await store.read((tx) => tx.messages.list(query));
				const page = entries.map(({ record }) => record);
				if (query.after === undefined || page.length > 0) await between(pages++);
				return page;
			};
			return (await listAll(list, [])).map(({ id }) => id);
		}

		it('contain every record once', async () => {
			const sizes: number[] = [];
			expect(await listed(async (page) => void sizes.push(page))).toEqual(newestFirst);
			expect(sizes).toEqual([0, 1, 2]);
		});

		it('leave out what is inserted meanwhile', async () => {
			const insert = async (page: number) => {
				const record = messageRecord(`NEW${page}`, {});
				await host().store.transact((tx) => tx.messages.insert(record, messageSecrets));
			};
			expect(await listed(insert)).toEqual(newestFirst);
		});

		it('continue where they were if the last records of a page are deleted', async () => {
			const remove = async (page: number) => {
				if (page !== 0) return;
				await host().store.transact(async (tx) => {
					for (const id of newestFirst.slice(490, 510)) await tx.messages.delete(id);
				});
			};
			const expected = [...newestFirst.slice(0, 500), ...newestFirst.slice(510)];
			expect(await listed(remove)).toEqual(expected);
		});

		it('continue if all records of a page are deleted', async () => {
			const remove = async (page: number) => {
				if (page !== 0) return;
				await host().store.transact(async (tx) => {
					for (const id of newestFirst.slice(0, 500)) await tx.messages.delete(id);
				});
			};
			expect(await listed(remove)).toEqual(newestFirst);
		});
	});
}
