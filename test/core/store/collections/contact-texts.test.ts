import { loosely } from '../../../support/loosely';
import { DatabaseSync } from 'node:sqlite';
import { systemRandom } from '../../../../core/base/random';
import { StoreKey } from '../../../../core/crypto/sealing';
import { addContactTexts } from '../../../../core/store/collections/contact-texts';
import { CompiledStatementCache } from '../../../../core/store/sql/compiled-statement-cache';
import { Sealer } from '../../../../core/store/sql/sealer';
import { SqliteConnection } from '../../../../core/store/sqlite/sqlite-connection';
import { queryBuilder } from '../../../../core/store/sqlite/sqlite-dialect';
import type { Store } from '../../../../core/store/store';
import { attributeRecord, peerAddress } from '../../../support/records';
import { openMemoryStore } from '../../../support/store';

describe('the attributes of earlier versions', () => {
	let database: DatabaseSync;
	let store: Store;

	beforeEach(async () => {
		database = new DatabaseSync(':memory:');
		store = await openMemoryStore(undefined, database, false);
	});

	afterEach(() => store.close());

	/** Number of rows that an update has written, apart from the texts themselves. */
	async function updated(): Promise<number> {
		const connection = new SqliteConnection(database);
		const compiled = new CompiledStatementCache(queryBuilder(connection), true);
		const sealer = new Sealer(new StoreKey(new Uint8Array(32)), systemRandom, false);
		database.exec(`create temp table updates (id text);
			create temp trigger noted after update on attributes begin
				insert into updates values (new.id);
			end`);
		await addContactTexts({ executor: connection, compiled, sealer });
		const { total } = database.prepare('select count(*) as total from updates').get() ?? {};
		return Number(total);
	}

	const texts = (field: string): unknown[] =>
		database
			.prepare('select value from attributes_values where field = ? order by value')
			.all(field)
			.map(({ value }) => value);

	/** Stores a name that a peer has shared, and one of this identity, without the later texts. */
	async function storeFormerly(names: readonly string[]): Promise<void> {
		await store.transact(async (tx) => {
			for (const [index, name] of names.entries()) {
				const value = { '@type': 'GivenName', value: name };
				const content = { '@type': 'IdentityAttribute', owner: peerAddress, value };
				const shareInfo = { peer: peerAddress, requestReference: 'REQ1' };
				await tx.attributes.insert(
					attributeRecord(`ATT${index}`, { content: loosely(content), shareInfo }),
					undefined,
				);
			}
			await tx.attributes.insert(attributeRecord('OWN'), undefined);
		});
		database.exec("delete from attributes_values where field in ('contactValue', 'contactName')");
	}

	it('get the texts by which contacts are found, and the others stay as they are', async () => {
		await storeFormerly(['Ada', 'Lin']);
		const before = database.prepare('select document from attributes order by id').all();
		expect(await updated()).toBe(2);
		expect(texts('contactName')).toEqual(['ada', 'lin']);
		expect(texts('contactValue')).toHaveLength(2);
		expect(database.prepare('select document from attributes order by id').all()).toEqual(before);
	});

	it.each([199, 200, 401])('are all updated, also %s of them', async (count) => {
		await storeFormerly(Array.from({ length: count }, (_, index) => `Name ${index}`));
		expect(await updated()).toBe(count);
		expect(texts('contactName')).toHaveLength(count);
	});

	it('may be none', async () => {
		expect(await updated()).toBe(0);
	});
});
