import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { StoreKey } from '../../../../core/crypto/sealing';
import type { Store } from '../../../../core/store/store';
import {
	messageRecord,
	messageSecrets,
	relationshipRecord,
	relationshipSecrets,
} from '../../../support/records';
import { openMemoryStore } from '../../../support/store';

/** Number of records whose decrypted secrets are kept. */
const kept = 200;

describe('a collection', () => {
	let database: DatabaseSync;
	let store: Store;

	beforeEach(async () => {
		database = new DatabaseSync(':memory:');
		store = await openMemoryStore(undefined, database);
	});

	afterEach(async () => {
		jest.restoreAllMocks();
		await store.close();
	});

	/** Number of times for which the key of the store opens something while work runs. */
	async function openings(work: () => Promise<unknown>): Promise<number> {
		const used = jest.spyOn(StoreKey, 'bytesOf');
		await work();
		const { length } = used.mock.calls;
		used.mockRestore();
		return length;
	}

	const secretsOf = (id: string) => () =>
		store.read(async (tx) => (await tx.relationships.get(id))?.secrets);
	const relate = (...ids: string[]): Promise<void> =>
		store.transact(async (tx) => {
			for (const id of ids) {
				await tx.relationships.insert(relationshipRecord(id), relationshipSecrets);
			}
		});

	it('decrypts the secrets of a relationship once', async () => {
		await relate('REL1', 'REL2');
		expect(await openings(secretsOf('REL1'))).toBe(1);
		expect(await openings(secretsOf('REL1'))).toBe(0);
		expect(await openings(secretsOf('REL2'))).toBe(1);
		expect(await secretsOf('REL1')()).toEqual(relationshipSecrets);
	});

	it('keeps no secrets of other records', async () => {
		await store.transact((tx) => tx.messages.insert(messageRecord('MSG1'), messageSecrets));
		const look = () => store.read(async (tx) => (await tx.messages.get('MSG1'))?.secrets);
		expect([await openings(look), await openings(look)]).toEqual([1, 1]);
	});

	it('decrypts the secrets of one entry once', async () => {
		await store.transact((tx) => tx.messages.insert(messageRecord('MSG1'), messageSecrets));
		const look = () =>
			store.read(async (tx) => {
				const entry = await tx.messages.get('MSG1');
				expect([entry?.secrets, entry?.secrets]).toEqual([messageSecrets, messageSecrets]);
			});
		expect(await openings(look)).toBe(1);
	});

	it('keeps the secrets of a limited number of relationships', async () => {
		const ids = Array.from({ length: kept + 1 }, (_, number) => `REL${number}`);
		await relate(...ids);
		for (const id of ids.slice(0, kept)) await secretsOf(id)();
		expect(await openings(secretsOf('REL0'))).toBe(0);
		await secretsOf(`REL${kept}`)();
		expect(await openings(secretsOf('REL0'))).toBe(1);
		expect(await openings(secretsOf('REL0'))).toBe(0);
	});

	it('keeps nothing of a deleted record in memory', async () => {
		await relate('REL1');
		await secretsOf('REL1')();
		database.exec('create table copies as select * from relationships');
		await store.transact((tx) => tx.relationships.delete('REL1'));
		database.exec('insert into relationships select * from copies');
		// The record and its secrets.
		expect(await openings(secretsOf('REL1'))).toBe(2);
	});

	it('takes new secrets over', async () => {
		await relate('REL1');
		await secretsOf('REL1')();
		const changed = { template: { secretKey: 'other' } };
		await store.transact((tx) => tx.relationships.update(relationshipRecord('REL1'), changed));
		expect(await secretsOf('REL1')()).toEqual(changed);
		const renamed = relationshipRecord('REL1', { status: 'Terminated' });
		await store.transact((tx) => tx.relationships.update(renamed));
		expect(await secretsOf('REL1')()).toEqual(changed);
	});

	it('refuses a document of another record', async () => {
		const json = JSON.stringify(messageRecord('MSG2'));
		const clear = await openMemoryStore(undefined, database, false);
		await clear.transact((tx) => tx.messages.insert(messageRecord('MSG1'), messageSecrets));
		database.prepare('update messages set document = ?').run(json);
		await expect(clear.read((tx) => tx.messages.get('MSG1'))).rejects.toMatchObject({
			code: 'error.gateway.store.corruptRow',
			facts: { table: 'messages', id: 'MSG1' },
		});
	});

	it('adds a record once, and changes and deletes what is there', async () => {
		const add = () =>
			store.transact((tx) => tx.messages.insert(messageRecord('MSG1'), messageSecrets));
		await add();
		await expect(add()).rejects.toThrow(/UNIQUE constraint failed: messages.id/);
		const update = (id: string) => store.transact((tx) => tx.messages.update(messageRecord(id)));
		await update('MSG1');
		await expect(update('MSG2')).rejects.toThrow(/no such record of 'messages'/);
		const remove = () => store.transact((tx) => tx.messages.delete('MSG1'));
		await remove();
		await remove();
		expect(await store.read((tx) => tx.messages.count())).toBe(0);
	});

	it('names the field of a record that does not fit', async () => {
		const wrong = { ...messageRecord('MSG1'), attachments: 'none' } as never;
		const inserting = store.transact((tx) => tx.messages.insert(wrong, messageSecrets));
		await expect(inserting).rejects.toThrow(/does not fit its schema at 'attachments'/);
		const without = store.transact((tx) =>
			tx.messages.insert(messageRecord('MSG1'), undefined as never),
		);
		await expect(without).rejects.toThrow(/does not fit its schema at ''/);
	});

	it('lets other work run while it opens many records for a search', async () => {
		await store.transact(async (tx) => {
			for (let number = 0; number < 300; number++) {
				await tx.messages.insert(messageRecord(`MSG${number}`), messageSecrets);
			}
		});
		const search = { where: [{ field: 'subject', op: 'contains', value: 'subject' }] } as const;
		let turns = 0;
		let isDone = false;
		const counting = (async () => {
			while (!isDone) {
				await setImmediate();
				turns++;
			}
		})();
		expect(await store.read((tx) => tx.messages.count(search))).toBe(300);
		isDone = true;
		await counting;
		// Two pauses between three batches; the last turn notices the end.
		expect(turns).toBe(3);
		const page = await store.read((tx) =>
			tx.messages.list({ ...search, limit: 2, offset: 1, after: 'MSG3' }),
		);
		expect(page.map(({ record }) => record.id)).toEqual(['MSG5', 'MSG6']);
	});
});
