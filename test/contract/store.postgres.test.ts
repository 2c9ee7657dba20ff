import { describeWithPostgres, TestDatabase } from '../support/postgres';
import { TestClock } from '../support/clock';
import { describeStoreContract } from './store.contract';

jest.setTimeout(60_000);

describeWithPostgres('PostgreSQL', () => {
	let database: TestDatabase;

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	describeStoreContract('with a schema for each account', async () => {
		const clock = new TestClock();
		const account = database.account();
		const store = await database.open(account, clock);
		return {
			store,
			clock,
			close: async () => {
				await store.close();
				await database.remove(account);
			},
		};
	});
});
