import { Socket } from 'node:net';
import { PostgresConnection } from '../../../core/store/postgres/postgres-connection';
import { Forwarder } from '../../support/forwarder';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { until } from '../../support/until';

const lost = { code: 'error.gateway.store.postgresLost' };

describeWithPostgres('a single connection to PostgreSQL', () => {
	let database: TestDatabase;
	const opened: PostgresConnection[] = [];

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	afterEach(async () => {
		jest.useRealTimers();
		jest.restoreAllMocks();
		for (const connection of opened.splice(0)) await connection.close();
	});

	const open = async (config = database.config, listener?: (payload: string) => void) => {
		const connection = await PostgresConnection.open(config, 'enmeshed', listener);
		opened.push(connection);
		return connection;
	};

	const prepared = async (connection: PostgresConnection): Promise<string[]> => {
		const { rows } = await connection.run<{ name: string; text: string }>(
			'select name, statement as text from pg_prepared_statements order by name',
		);
		return rows.map(({ name, text }) => `${name}: ${text}`);
	};

	describe('prepares', () => {
		it('what it has sent twice, under a name of its own', async () => {
			const connection = await open();
			for (let round = 0; round < 2; round++) {
				await connection.query('select 1', []);
				await connection.change('select 2', []);
			}
			expect(await prepared(connection)).toEqual([]);
			await connection.query('select 2', []);
			await connection.change('select 1', []);
			const expected = ['s1: select 1', 's2: select 2'];
			expect(await prepared(connection)).toEqual(expected);
			expect(await connection.query('select 2', [])).toHaveLength(1);
			expect(await prepared(connection)).toEqual(expected);
		});

		it('at most 300 texts, so that the server does not keep one for every value', async () => {
			const connection = await open();
			const send = (number: number) => connection.query(`select ${number}`, []);
			const numbers = Array.from({ length: 301 }, (_, index) => index);
			await Promise.all(numbers.map(send));
			for (let round = 0; round < 3; round++) await Promise.all([299, 300].map(send));
			expect(await prepared(connection)).toEqual(['s1: select 299']);
		});
	});

	describe('answers', () => {
		it('with numbers as numbers, and with everything else as the stored text', async () => {
			const connection = await open();
			const rows = await connection.query(
				`select 9::int8 as eight, 4::int4 as four, 1.5::float8 as float, 2::int2 as small,
					true as truth, $1::text as text, null as nothing`,
				['a\0b'],
			);
			expect(rows).toEqual([
				{ eight: 9, four: 4, float: 1.5, small: '2', truth: 't', text: 'a\0b', nothing: null },
			]);
		});

		it('with the number of changed rows, which is 0 for what changes none', async () => {
			const connection = await open();
			await connection.run('create temporary table t (n int)');
			expect(await connection.change('insert into t values ($1), ($1)', [1])).toBe(2);
			expect(await connection.change('listen anything', [])).toBe(0);
		});

		it('with the result of the last of several statements', async () => {
			const connection = await open();
			expect(await connection.run('begin; select 7 as seven; commit')).toEqual({
				command: 'COMMIT',
				rows: [],
			});
			expect(await connection.run('begin; select 7 as seven')).toEqual({
				command: 'SELECT',
				rows: [{ seven: 7 }],
			});
			expect(await connection.run('rollback')).toEqual({ command: 'ROLLBACK', rows: [] });
			expect(await connection.run('')).toEqual({ command: '', rows: [] });
		});

		it('to the migrator with rows and the number of changed rows', async () => {
			const connection = await open();
			await connection.run('create temporary table t (n int)');
			const execute = (sql: string, ...parameters: unknown[]) =>
				connection.executeQuery({ sql, parameters } as never);
			expect(await execute('insert into t values ($1) returning n', 1)).toEqual({
				rows: [{ n: 1 }],
				numAffectedRows: 1n,
			});
			expect(await execute('listen anything')).toEqual({ rows: [], numAffectedRows: 0n });
		});

		it('never in a stream', async () => {
			const connection = await open();
			await expect(connection.streamQuery().next()).rejects.toThrow(
				'The store does not stream queries',
			);
		});

		it('with the name of a failure', async () => {
			const connection = await open();
			const cancelled = connection.run("set statement_timeout = '1ms'; select pg_sleep(5)");
			await expect(cancelled).rejects.toMatchObject({ code: 'error.gateway.store.busy' });
		});
	});

	it('sends the statements of one turn of the event loop in one packet', async () => {
		const connection = await open();
		const corked = jest.spyOn(Socket.prototype, 'cork');
		const written = jest.spyOn(Socket.prototype, '_writev' as never);
		await Promise.all([connection.query('select 1', []), connection.query('select 2', [])]);
		expect([corked.mock.calls.length, written.mock.calls.length]).toEqual([1, 1]);
		await Promise.all([connection.query('select 1', []), connection.query('select 2', [])]);
		expect([corked.mock.calls.length, written.mock.calls.length]).toEqual([2, 2]);
	});

	it('finds out that its server is gone although nothing is sent', async () => {
		const kept = jest.spyOn(Socket.prototype, 'setKeepAlive');
		await open();
		expect(kept).toHaveBeenCalledWith(true, 10_000);
	});

	it('hears of notifications, with and without a text', async () => {
		const heard: string[] = [];
		const connection = await open(database.config, (payload) => heard.push(payload));
		await connection.run("listen one; notify one, 'text'; notify one");
		await until(() => heard.length === 2);
		expect(heard).toEqual(['text', '']);
		const deaf = await open();
		await deaf.run("listen two; notify two, 'text'");
		expect(await deaf.query('select 1 as one', [])).toEqual([{ one: 1 }]);
	});

	describe('keeps the process alive', () => {
		/** Opens a connection, and returns with it whether its socket keeps the process alive. */
		const openObserved = async () => {
			const connect = jest.spyOn(Socket.prototype, 'connect');
			const connection = await open();
			const [socket] = connect.mock.contexts as Array<{ _handle: { hasRef(): boolean } | null }>;
			return { connection, keepsAlive: () => socket?._handle?.hasRef() === true };
		};

		it('only while an answer is due', async () => {
			const { connection, keepsAlive } = await openObserved();
			expect(keepsAlive()).toBe(false);
			const only = connection.query('select 1', []);
			expect(keepsAlive()).toBe(true);
			await only;
			expect(keepsAlive()).toBe(false);
			const answers = [0, 0.05].map((seconds) =>
				connection.query('select from pg_sleep($1)', [seconds]),
			);
			await answers[0];
			expect(keepsAlive()).toBe(true);
			await answers[1];
			expect(keepsAlive()).toBe(false);
			await expect(connection.run('mistake')).rejects.toThrow('mistake');
			expect(keepsAlive()).toBe(false);
		});

		it('until it is closed', async () => {
			const { connection, keepsAlive } = await openObserved();
			const closing = connection.close();
			expect(keepsAlive()).toBe(true);
			await closing;
		});
	});

	describe('ends', () => {
		it('after its pending answers', async () => {
			const connection = await open();
			const answer = connection.query('select 1 as one from pg_sleep(0.05)', []);
			await connection.close();
			expect(await answer).toEqual([{ one: 1 }]);
			expect(connection.isOpen).toBe(false);
			await connection.close();
			await until(async () => (await database.sessions()) === 0);
		});

		it('at once if it is abandoned, and tells who waits for its end', async () => {
			const connection = await open();
			const end = new Promise<void>((resolve) => connection.onceEnded(resolve));
			expect(connection.isOpen).toBe(true);
			const answer = connection.query('select pg_sleep(60)', []);
			connection.abandon();
			expect(connection.isOpen).toBe(false);
			await expect(answer).rejects.toMatchObject(lost);
			await end;
			await connection.close();
		});

		it('with the server’s, and then refuses every statement', async () => {
			const connection = await open();
			const end = new Promise<void>((resolve) => connection.onceEnded(resolve));
			await database.cutSessions();
			await end;
			expect(connection.isOpen).toBe(false);
			await expect(connection.query('select 1', [])).rejects.toMatchObject(lost);
		});

		it('with a cut network', async () => {
			const forwarder = await Forwarder.to(database.config.port);
			const connection = await open({ ...database.config, port: forwarder.port });
			const end = new Promise<void>((resolve) => connection.onceEnded(resolve));
			forwarder.cut();
			await end;
			expect(connection.isOpen).toBe(false);
			await forwarder.close();
		});

		it('without a timer that keeps the process alive', async () => {
			const connection = await open();
			jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
			await connection.close();
			expect(jest.getTimerCount()).toBe(0);
		});

		it('after 5 seconds if the server does not answer its end', async () => {
			const forwarder = await Forwarder.to(database.config.port);
			const connection = await open({ ...database.config, port: forwarder.port });
			forwarder.hold();
			jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
			let isClosed = false;
			const closing = connection.close().then(() => (isClosed = true));
			await jest.advanceTimersByTimeAsync(4_999);
			await new Promise((resolve) => setImmediate(resolve));
			expect(isClosed).toBe(false);
			await jest.advanceTimersByTimeAsync(1);
			await closing;
			expect(jest.getTimerCount()).toBe(0);
			jest.useRealTimers();
			await forwarder.close();
		});

		it('if the server does not answer its login, with the reason', async () => {
			const forwarder = await Forwarder.to(database.config.port);
			forwarder.swallowAnswers();
			const opening = open({ ...database.config, port: forwarder.port });
			const refused = expect(opening).rejects.toMatchObject(lost);
			await until(() => forwarder.used === 1);
			await new Promise((resolve) => setTimeout(resolve, 50));
			forwarder.cut();
			await refused;
			await forwarder.close();
		});

		it('if it cannot be set up, and leaves no session behind', async () => {
			// The quote makes the statement fail that follows the login.
			await expect(PostgresConnection.open(database.config, "it's")).rejects.toMatchObject({
				code: '42601',
			});
			await until(async () => (await database.sessions()) === 0);
		});
	});
});
