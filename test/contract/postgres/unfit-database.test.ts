import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import { peekAccount, type AccountConfig } from '../../../core/store/open-store';
import { requireFittingServer } from '../../../core/store/postgres/postgres-schema';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';

jest.setTimeout(120_000);

const deps = { clock: systemClock, random: systemRandom, environment: {} };

describe('a server that answers for its version', () => {
	const serverOf = (version: string, encoding = 'UTF8') => ({
		query: <Row>() => Promise.resolve([{ version, encoding }] as Row[]),
		change: () => Promise.reject(new Error('nothing is changed')),
	});

	it.each([
		['120022', 12],
		['90624', 9],
	])('is too old with %s', async (version, major) => {
		await expect(requireFittingServer(serverOf(version))).rejects.toMatchObject({
			code: 'error.gateway.store.postgresUnsuitable',
			message: `The server is PostgreSQL ${major}; version 13 is the oldest that works.`,
			facts: { field: 'store.host', version: major },
		});
	});

	it.each(['130000', '150019', '180001'])('is new enough with %s', async (version) => {
		await requireFittingServer(serverOf(version));
	});
});

describeWithPostgres('a database that does not fit', () => {
	let database: TestDatabase;
	let account: AccountConfig;

	afterEach(() => database.drop());

	const use = async (parts = ''): Promise<void> => {
		database = await TestDatabase.create(parts);
		account = database.account('default');
	};

	const expectRefused = async (expected: object): Promise<void> => {
		await expect(database.open(account)).rejects.toMatchObject(expected);
		await expect(peekAccount(account, deps)).rejects.toMatchObject(expected);
	};

	it('is one of another encoding, in which nothing is created', async () => {
		await use("template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'");
		await expectRefused({
			code: 'error.gateway.store.postgresUnsuitable',
			message: 'The database is encoded as LATIN1; only UTF8 holds every character.',
			facts: { field: 'store.database' },
		});
		const schemas = await database.query(
			"select 1 from pg_namespace where nspname like 'enmeshed%'",
		);
		expect(schemas).toEqual([]);
	});

	it.each([
		['tables of something else', 'create table enmeshed.customers (id int)'],
		['a view of something else', 'create view enmeshed.customers as select 1 as id'],
		['a table of that name with other columns', 'create table enmeshed.account (id int)'],
		[
			'a table of that name without our mark',
			'create table enmeshed.account (name text, value text); ' +
				"insert into enmeshed.account values ('version', '3')",
		],
	])('is one whose schema holds %s, which is left as it is', async (_what, sql) => {
		await use();
		await database.query(`create schema enmeshed; ${sql}`);
		const tables = () =>
			database.query("select relname from pg_class where relnamespace = 'enmeshed'::regnamespace");
		const before = await tables();
		await expectRefused({
			code: 'error.gateway.store.foreignSchema',
			message: "The schema 'enmeshed' holds tables that were not made by this package.",
			facts: { field: 'store.schema' },
		});
		expect(await tables()).toEqual(before);
	});

	it('is not one with an empty schema: it may have been made for us', async () => {
		await use();
		await database.query('create schema enmeshed');
		await (await database.open(account)).close();
	});
});
