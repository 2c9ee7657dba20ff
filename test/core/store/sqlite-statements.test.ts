import { constants, DatabaseSync } from 'node:sqlite';
import type { Store } from '../../../core/store/store';
import { openMemoryStore } from '../../support/store';

describe('statements of a store in SQLite', () => {
	let store: Store;
	/** SQLite asks for permission while it prepares a statement, not while it runs one. */
	let prepared = 0;

	beforeEach(async () => {
		const database = new DatabaseSync(':memory:');
		store = await openMemoryStore(undefined, database);
		database.setAuthorizer(() => {
			prepared++;
			return constants.SQLITE_OK;
		});
	});

	afterEach(() => store.close());

	const page = (limit: number, offset: number) =>
		store.read(async (tx) => {
			await tx.attributes.list({ limit, offset });
			await tx.attributes.scan(offset, limit);
			await tx.outbox.readAfter(offset, limit);
			await tx.outbox.newest(['consumption.attributeCreated'], limit);
		});

	it('are not prepared again when another number of rows is asked for', async () => {
		await page(1, 0);
		const before = prepared;
		expect(before).toBeGreaterThan(0);
		await page(2, 1);
		expect(prepared).toBe(before);
	});
});
