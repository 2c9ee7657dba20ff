import { PostgresConnection } from '../../../core/store/postgres/postgres-connection';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';

describeWithPostgres('a session of PostgreSQL', () => {
	let database: TestDatabase;

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	it('has the limits of a gateway, whatever the settings of the server are', async () => {
		const connection = await PostgresConnection.open(database.config, 'some "schema"');
		const expected = {
			search_path: '"some ""schema"""',
			statement_timeout: '30s',
			lock_timeout: '25s',
			idle_in_transaction_session_timeout: '15s',
			default_transaction_isolation: 'read committed',
			jit: 'off',
			tcp_keepalives_idle: '20',
			tcp_keepalives_interval: '10',
			tcp_keepalives_count: '3',
		};
		const names = Object.keys(expected);
		const rows = await connection.query<{ name: string; setting: string }>(
			`select name, current_setting(name) as setting from pg_settings
				where name in (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
			names,
		);
		await connection.close();
		expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(expected);
	});
});
