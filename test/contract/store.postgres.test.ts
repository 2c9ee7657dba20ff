import type { AccountConfig } from '../../core/store/open-store';
import { describeWithPostgres, TestDatabase } from '../support/postgres';
import { TestClock } from '../support/clock';
import { describeStoreContract } from './store.contract';

jest.setTimeout(60_000);

describeWithPostgres('PostgreSQL', () => {
	let database: TestDatabase;
	let account: AccountConfig | undefined;

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	describeStoreContract('with a schema for each account', async () => {
		const clock = new TestClock();
		account ??= database.account();
		const store = await database.open(account, clock);
		return {
			store,
			clock,
			close: async () => {
				await store.close();
				if (account !== undefined) await database.empty(account);
			},
		};
	});
});
