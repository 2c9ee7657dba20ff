import type { Clock } from '../../core/base/clock';
import type { AccountConfig, AccountStore } from '../../core/store/open-store';
import { describeWithPostgres, TestDatabase } from '../support/postgres/postgres';
import { TestClock } from '../support/clock';
import { describeStoreContract } from './store.contract';

/**
 * The promises of a store for accounts in PostgreSQL: in a file each, since there are hundreds. Deriving the
 * key from the passphrase takes longer than most of them, so a store stays open where its own state does not
 * matter.
 */
export function describeStoreInPostgres(name: string, sealContents: boolean): void {
	describeWithPostgres('PostgreSQL', () => {
		let database: TestDatabase;
		let account: AccountConfig;
		let store: AccountStore;
		let clock: TestClock;
		const clockOfTest: Clock = { now: () => clock.now() };

		beforeAll(async () => {
			database = await TestDatabase.create();
			account = { ...database.account(), sealContents };
			clock = new TestClock();
			store = await database.open(account, clockOfTest);
		});

		afterAll(async () => {
			await store.close();
			await database.drop();
		});

		describe(name, () => {
			describeStoreContract('with a schema for each account', async (whatIsNew) => {
				clock = new TestClock();
				if (whatIsNew === 'store' || (await isClosed(store))) {
					await store.close();
					store = await database.open(account, clockOfTest);
				}
				return { store, clock, close: () => database.empty(account) };
			});
		});
	});
}

/** Some tests are about the end of a store. */
const isClosed = (store: AccountStore): Promise<boolean> =>
	store.read(() => Promise.resolve(false)).catch(() => true);
