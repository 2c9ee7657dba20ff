import type { AccountConfig } from '../../core/store/open-store';
import { describeWithPostgres, TestDatabase } from '../support/postgres';
import { TestClock } from '../support/clock';
import { describeStoreContract } from './store.contract';

jest.setTimeout(60_000);

const ways = [
	['with contents sealed', true],
	['with contents in clear', false],
] as const;

describeWithPostgres('PostgreSQL', () => {
	let database: TestDatabase;

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	describe.each(ways)('%s', (_name, sealContents) => {
		let account: AccountConfig | undefined;

		describeStoreContract('with a schema for each account', async () => {
			const clock = new TestClock();
			account ??= { ...database.account(), sealContents };
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
});
