import { PostgresConnection } from '../../../core/store/postgres/postgres-connection';
import { requireOwnSession } from '../../../core/store/postgres/session-check';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';

const pooled = {
	code: 'error.gateway.store.postgresPooled',
	message: 'A pooler before the PostgreSQL server gives each transaction another connection.',
	facts: { field: 'store.host' },
};

describeWithPostgres('the check for a session of one’s own', () => {
	let database: TestDatabase;
	let first: PostgresConnection;
	let second: PostgresConnection;

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	beforeEach(async () => {
		first = await PostgresConnection.open(database.config, 'public');
		second = await PostgresConnection.open(database.config, 'public');
	});

	afterEach(async () => {
		jest.restoreAllMocks();
		await first.close();
		await second.close();
	});

	const openSecond = () => Promise.resolve(second);

	it('passes where each connection has a backend, and closes the one that it opened', async () => {
		const run = jest.spyOn(second, 'run');
		await requireOwnSession(first, openSecond);
		const [[looks], [ends]] = run.mock.calls as [[string], [string]];
		expect(looks).toMatch(/^begin; select/);
		expect(ends).toBe('rollback');
		expect([first.isOpen, second.isOpen]).toEqual([true, false]);
	});

	it('refuses two connections with the same backend', async () => {
		const shared = jest.spyOn(first, 'run');
		const close = jest.spyOn(first, 'close');
		const refused = requireOwnSession(first, () => Promise.resolve(first));
		await expect(refused).rejects.toMatchObject(pooled);
		expect(shared.mock.calls.at(-1)).toEqual(['rollback']);
		expect(close).toHaveBeenCalledTimes(1);
	});

	it('refuses a connection whose backend changes while another is in a transaction', async () => {
		const third = await PostgresConnection.open(database.config, 'public');
		const backends = [first, third];
		const changing = {
			run: (sql: string) => (backends.shift() as PostgresConnection).run(sql),
		} as unknown as PostgresConnection;
		await expect(requireOwnSession(changing, openSecond)).rejects.toMatchObject(pooled);
		expect(second.isOpen).toBe(false);
		await third.close();
	});

	it('abandons a connection that it cannot end', async () => {
		const run = second.run.bind(second);
		jest
			.spyOn(second, 'run')
			.mockImplementation((sql) =>
				sql === 'rollback' ? Promise.reject(new Error('lost')) : run(sql),
			);
		const close = jest.spyOn(second, 'close');
		await requireOwnSession(first, openSecond);
		expect(close).not.toHaveBeenCalled();
		expect(second.isOpen).toBe(false);
	});

	it('passes on that a second connection cannot be had', async () => {
		const none = () => Promise.reject(new Error('none left'));
		await expect(requireOwnSession(first, none)).rejects.toThrow('none left');
	});
});
