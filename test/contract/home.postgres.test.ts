import { systemClock } from '../../core/base/clock';
import { systemRandom } from '../../core/base/random';
import { accountHome } from '../../core/store/open-store';
import { describeWithPostgres, TestDatabase } from '../support/postgres/postgres';
import { describeHomeContract } from './home.contract';

jest.setTimeout(120_000);

const deps = { clock: systemClock, random: systemRandom, environment: {} };

describeWithPostgres('PostgreSQL', () => {
	describeHomeContract('with a schema for each account', async () => {
		const database = await TestDatabase.create();
		return {
			home: (account) => accountHome({ account, store: database.config }, deps),
			openStore: (account, clientSecret, passphrase = '') =>
				database.open({ ...database.account(account), backbone: { clientSecret }, passphrase }),
			passphrase: 'correct horse',
			close: () => database.drop(),
		};
	});
});
