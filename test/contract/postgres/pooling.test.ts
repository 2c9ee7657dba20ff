import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import {
	accountHome,
	openStore,
	peekAccount,
	type AccountConfig,
} from '../../../core/store/open-store';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { TransactionPooler } from '../../support/postgres/transaction-pooler';

jest.setTimeout(60_000);

const deps = { clock: systemClock, random: systemRandom };
const pooled = {
	code: 'error.gateway.store.postgresPooled',
	kind: 'invalid',
	remedy: expect.stringMatching(/pool_mode.*session/) as string,
};

describeWithPostgres('a pooler that pools transactions', () => {
	let database: TestDatabase;
	let pooler: TransactionPooler;
	beforeAll(async () => {
		database = await TestDatabase.create();
	});
	afterAll(() => database.drop());
	beforeEach(async () => {
		pooler = await TransactionPooler.before(database.config);
	});
	afterEach(() => pooler.close());

	const throughPooler = (config: AccountConfig): AccountConfig => ({
		...config,
		store: { ...database.config, host: '127.0.0.1', port: pooler.port },
	});

	it('is refused before an account is moved through it', async () => {
		const home = accountHome(throughPooler(database.account()), deps);
		await expect(home.look()).rejects.toMatchObject(pooled);
	});

	it('is refused before an account is created through it', async () => {
		const config = throughPooler(database.account());
		await expect(openStore(config, deps)).rejects.toMatchObject(pooled);
		const schemas = await database.query('select 1 from pg_namespace where nspname like $1', [
			`enmeshed:${config.account}`,
		]);
		expect(schemas).toEqual([]);
	});

	it('is refused for an account that is there, also when it is only looked at', async () => {
		const config = database.account();
		await (await database.open(config)).close();
		await expect(peekAccount(throughPooler(config), deps)).rejects.toMatchObject(pooled);
		await expect(openStore(throughPooler(config), deps)).rejects.toMatchObject(pooled);
		await database.remove(config);
	});
});
