import { placeInPostgres } from '../../support/accounts/account-places';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { describeLists } from './lists.contract';

describeWithPostgres('lists of an account in PostgreSQL', () => {
	let database: TestDatabase;

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	describeLists(() => placeInPostgres(database).config);
});
