import { DatabaseSync } from 'node:sqlite';
import { systemRandom } from '../../../../core/base/random';
import { StoreKey } from '../../../../core/crypto/sealing';
import { collections } from '../../../../core/store/collections/collections';
import { CollectionShape, SqlCollection } from '../../../../core/store/collections/sql-collection';
import { CompiledStatementCache } from '../../../../core/store/sql/compiled-statement-cache';
import type { SqlExecutor } from '../../../../core/store/sql/executor';
import { Sealer } from '../../../../core/store/sql/sealer';
import { SqliteConnection } from '../../../../core/store/sqlite/sqlite-connection';
import { queryBuilder } from '../../../../core/store/sqlite/sqlite-dialect';
import type { Store } from '../../../../core/store/store';
import { messageRecord, messageSecrets, ownAddress, peerAddress } from '../../../support/records';
import { openMemoryStore } from '../../../support/store';

/*
 * Where each answer costs a round trip, as with PostgreSQL, a transaction does not wait for the answers to its
 * writes. The database here is SQLite.
 */
describe('a collection whose writes are not waited for', () => {
	let database: DatabaseSync;
	let store: Store;
	let messages: SqlCollection;
	/** statements of the transaction: with an answer, or without one */
	let asked: { reads: number; changes: number; writes: number };

	beforeEach(async () => {
		database = new DatabaseSync(':memory:');
		store = await openMemoryStore(undefined, database, false);
		const connection = new SqliteConnection(database);
		asked = { reads: 0, changes: 0, writes: 0 };
		const executor: SqlExecutor = {
			query: (...statement) => {
				asked.reads++;
				return connection.query(...statement);
			},
			change: (...statement) => {
				asked.changes++;
				return connection.change(...statement);
			},
			later: async (...statement) => {
				asked.writes++;
				await connection.change(...statement);
			},
		};
		const sealer = new Sealer(new StoreKey(new Uint8Array(32)), systemRandom, false);
		const compiled = new CompiledStatementCache(queryBuilder(connection), true);
		const shape = new CollectionShape(collections.messages, sealer, compiled);
		messages = new SqlCollection(shape, executor, () => undefined);
	});

	afterEach(() => store.close());

	const mail = (id: string, recipient = ownAddress) =>
		messageRecord(id, { recipients: [{ address: recipient }] });
	/** Ids of the stored messages to somebody, by the side table. */
	const storedTo = async (value: string): Promise<string[]> => {
		const where = [{ field: 'recipient', op: 'eq', value }] as const;
		const found = await store.read((tx) => tx.messages.list({ where }));
		return found.map(({ record }) => record.id);
	};

	it('adds, changes and deletes a record without an answer', async () => {
		await messages.insert(mail('MSG1'), messageSecrets);
		expect(asked).toEqual({ reads: 0, changes: 0, writes: 2 });
		await messages.update(mail('MSG1', peerAddress));
		expect(asked).toEqual({ reads: 0, changes: 0, writes: 5 });
		expect(await storedTo(peerAddress)).toEqual(['MSG1']);
		expect(await storedTo(ownAddress)).toEqual([]);
		await messages.delete('MSG1');
		expect(asked).toEqual({ reads: 0, changes: 0, writes: 6 });
		expect(await store.read((tx) => tx.messages.count({}))).toBe(0);
	});

	it('waits for the answer where it does not know whether the record exists', async () => {
		await store.transact((tx) => tx.messages.insert(mail('MSG1'), messageSecrets));
		await messages.update(mail('MSG1', peerAddress));
		expect(asked.changes).toBe(1);
		await messages.get('MSG1');
		await messages.update(mail('MSG1'));
		expect(asked.changes).toBe(1);
		await messages.delete('MSG1');
		await expect(messages.update(mail('MSG1'))).rejects.toThrow(TypeError);
		await expect(messages.update(mail('MSG2'))).rejects.toThrow(TypeError);
		expect(await messages.insertIfNew(mail('MSG2'), messageSecrets)).toBe(true);
		expect(await messages.insertIfNew(mail('MSG2'), messageSecrets)).toBe(false);
	});

	it('keeps or replaces the secrets of what exists', async () => {
		await messages.insert(mail('MSG1'), messageSecrets);
		const secretsOf = async () => (await messages.get('MSG1'))?.secrets;
		await messages.update(mail('MSG1'));
		expect(await secretsOf()).toEqual(messageSecrets);
		await messages.update(mail('MSG1'), { messageKey: 'other' });
		expect(await secretsOf()).toEqual({ messageKey: 'other' });
	});

	it('forgets what exists when a part of the transaction was rolled back', async () => {
		await messages.insert(mail('MSG1'), messageSecrets);
		database.exec('delete from messages');
		messages.onUndone();
		await expect(messages.update(mail('MSG1'))).rejects.toThrow(TypeError);
	});

	it('reads many rows by few statements, and each once', async () => {
		const ids = Array.from({ length: 1_100 }, (_, number) => `MSG${number}`);
		await store.transact(async (tx) => {
			for (const id of ids) await tx.messages.insert(mail(id), messageSecrets);
		});
		const found = await messages.getMany([...ids, 'MSG5', 'none']);
		expect(found.map(({ record }) => record.id)).toEqual([...ids, 'MSG5']);
		expect(asked.reads).toBeLessThan(10);
		expect(await messages.getMany([])).toEqual([]);
		expect(await messages.count({ where: [{ field: 'isOwn', op: 'in', value: [] }] })).toBe(0);
	});
});
