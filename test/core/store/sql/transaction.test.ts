import type { Store, WriteTransaction } from '../../../../core/store/store';
import { messageRecord, messageSecrets } from '../../../support/records';
import { openMemoryStore } from '../../../support/store';

describe('a transaction', () => {
	let store: Store;

	beforeEach(async () => {
		store = await openMemoryStore();
	});

	afterEach(() => store.close());

	it('has one collection of each name, and another one than other transactions', async () => {
		const seen = await store.read((tx) => Promise.resolve([tx.messages, tx.messages, tx.files]));
		expect(seen[0]).toBe(seen[1]);
		expect(seen[0]).not.toBe(seen[2]);
		expect(await store.read((tx) => Promise.resolve(tx.messages))).not.toBe(seen[0]);
	});

	it('keeps nothing of a part that was rolled back, and the rest', async () => {
		const insert = (id: string) => (tx: WriteTransaction) =>
			tx.messages.insert(messageRecord(id), messageSecrets);
		await store.transact(async (tx) => {
			await insert('MSG1')(tx);
			const failing = tx.attempt(async () => {
				await insert('MSG2')(tx);
				throw new Error('undone');
			});
			await expect(failing).rejects.toThrow('undone');
			await tx.attempt(() => insert('MSG3')(tx));
		});
		const kept = await store.read((tx) => tx.messages.list());
		expect(kept.map(({ record }) => record.id)).toEqual(['MSG1', 'MSG3']);
	});
});
