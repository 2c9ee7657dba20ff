import { PostgresConnection } from '../../../core/store/postgres/postgres-connection';
import { PostgresReaders } from '../../../core/store/postgres/postgres-readers';
import type { SqlExecutor } from '../../../core/store/sql/executor';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { until } from '../../support/until';

describeWithPostgres('readers of an account in PostgreSQL', () => {
	let database: TestDatabase;
	let readers: PostgresReaders;
	const opened: PostgresConnection[] = [];

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	beforeEach(() => {
		readers = new PostgresReaders(async () => {
			const connection = await PostgresConnection.open(database.config, 'public');
			opened.push(connection);
			return connection;
		});
	});

	afterEach(async () => {
		jest.restoreAllMocks();
		await readers.close();
		for (const connection of opened.splice(0)) await connection.close();
	});

	const setting = async (executor: SqlExecutor, name: string): Promise<string | undefined> => {
		const rows = await executor.query<{ value: string }>('select current_setting($1) as value', [
			name,
		]);
		return rows[0]?.value;
	};

	const backend = async (executor: SqlExecutor): Promise<number> => {
		const rows = await executor.query<{ pid: number }>('select pg_backend_pid() as pid', []);
		return rows[0]?.pid ?? 0;
	};

	/** Sets the time for those who ask how long a connection has been idle. */
	const at = (ms: number): void => {
		jest.spyOn(performance, 'now').mockReturnValue(ms);
	};

	const isOpen = () => opened.map((connection) => connection.isOpen);

	it('read one state, and change nothing', async () => {
		const seen = await readers.run(async (executor) => [
			await setting(executor, 'transaction_isolation'),
			await setting(executor, 'transaction_read_only'),
		]);
		expect(seen).toEqual(['repeatable read', 'on']);
		const changing = readers.run((executor) => executor.change('create table t (n int)', []));
		await expect(changing).rejects.toMatchObject({
			code: 'error.gateway.store.postgresOverloaded',
		});
	});

	it('take a snapshot of their own each time, on the same connection', async () => {
		const snapshot = () =>
			readers.run(async (executor) => {
				const [row] = await executor.query<{ at: string }>('select now()::text as at', []);
				return row?.at;
			});
		const first = await snapshot();
		expect(await snapshot()).not.toBe(first);
		expect(opened).toHaveLength(1);
	});

	it('are two at a time; the third waits for its turn or is given up', async () => {
		const ends: Array<() => void> = [];
		const begun: number[] = [];
		const run = (number: number, signal?: AbortSignal) =>
			readers.run(
				async (executor) => {
					await backend(executor);
					begun.push(number);
					await new Promise<void>((resolve) => ends.push(resolve));
				},
				{ signal },
			);
		const first = run(1);
		const second = run(2);
		await until(() => begun.length === 2);
		const abort = new AbortController();
		const third = run(3, abort.signal);
		const fourth = run(4);
		abort.abort(new Error('given up'));
		await expect(third).rejects.toThrow('given up');
		expect([...begun].sort()).toEqual([1, 2]);
		ends[0]?.();
		await until(() => begun.length === 3);
		expect(begun[2]).toBe(4);
		for (const end of ends) end();
		await Promise.all([first, second, fourth]);
		expect(opened).toHaveLength(2);
	});

	it('refuse statements after their end, which no longer see that state', async () => {
		let late: SqlExecutor | undefined;
		await readers.run(async (executor) => {
			late = executor;
			await backend(executor);
		});
		const ended = 'The transaction has ended';
		await expect(late?.query('select 1', [])).rejects.toThrow(ended);
		await expect(late?.change('select 1', [])).rejects.toThrow(ended);
	});

	it('go on after work that failed', async () => {
		const failing = readers.run(() => Promise.reject(new Error('mistake')));
		await expect(failing).rejects.toThrow('mistake');
		for (let times = 0; times < 3; times++) {
			const refused = readers.run((executor) => executor.query('select mistake', []));
			await expect(refused).rejects.toThrow('mistake');
		}
		expect(await readers.run((executor) => setting(executor, 'transaction_read_only'))).toBe('on');
		expect(opened).toHaveLength(1);
	});

	it('pass on that no connection can be had, and go on when one can', async () => {
		let isAway = true;
		const away = new PostgresReaders(() =>
			isAway
				? Promise.reject(new Error('away'))
				: PostgresConnection.open(database.config, 'public'),
		);
		for (let times = 0; times < 3; times++) {
			await expect(away.run(backend)).rejects.toThrow('away');
		}
		isAway = false;
		expect(await away.run(backend)).toBeGreaterThan(0);
		await away.close();
	});

	describe('with a connection that was lost while it was idle', () => {
		it('take another one if they know', async () => {
			await readers.run(backend);
			opened[0]?.abandon();
			expect(await readers.run(backend)).toBeGreaterThan(0);
			expect(opened).toHaveLength(2);
		});

		it('take another one if they find out after a second', async () => {
			at(5_000);
			const lost = await readers.run(backend);
			jest.spyOn(opened[0] as PostgresConnection, 'isOpen', 'get').mockReturnValue(true);
			await database.query('select pg_terminate_backend($1)', [lost]);
			at(6_000);
			expect(await readers.run(backend)).not.toBe(lost);
			expect(opened).toHaveLength(2);
		});

		it('say so if they find out with their first statement', async () => {
			at(5_000);
			const lost = await readers.run(backend);
			jest.spyOn(opened[0] as PostgresConnection, 'isOpen', 'get').mockReturnValue(true);
			await database.query('select pg_terminate_backend($1)', [lost]);
			at(5_999);
			await expect(readers.run(backend)).rejects.toMatchObject({
				code: 'error.gateway.store.postgresLost',
			});
			jest.restoreAllMocks();
			expect(await readers.run(backend)).not.toBe(lost);
		});
	});

	it('do not take a connection on which no transaction can begin', async () => {
		at(5_000);
		await readers.run(backend);
		const [idle] = opened;
		jest.spyOn(idle as PostgresConnection, 'run').mockRejectedValueOnce(new Error('refused'));
		at(6_000);
		await expect(readers.run(backend)).rejects.toThrow('refused');
		expect(idle?.isOpen).toBe(false);
	});

	it.each(['begin', 'rollback'])(
		'do not go on with a connection that refuses a %s',
		async (refused) => {
			await readers.run(backend);
			const [first] = opened as [PostgresConnection];
			const run = first.run.bind(first);
			jest
				.spyOn(first, 'run')
				.mockImplementation((sql) =>
					sql.startsWith(refused) ? Promise.reject(new Error('refused')) : run(sql),
				);
			await Promise.allSettled([readers.run(backend)]);
			expect(first.isOpen).toBe(false);
			await readers.run(backend);
			expect(opened).toHaveLength(2);
		},
	);

	it('begin together with their first statement unless the connection was idle for long', async () => {
		at(5_000);
		await readers.run(backend);
		const begun: number[] = [];
		const sent = jest.spyOn(opened[0] as PostgresConnection, 'run');
		const run = () =>
			readers.run(async (executor) => {
				begun.push(sent.mock.calls.length);
				await backend(executor);
				return await setting(executor, 'transaction_read_only');
			});
		at(5_999);
		expect(await run()).toBe('on');
		at(6_999);
		expect(await run()).toBe('on');
		expect(begun).toEqual([1, 3]);
		expect(opened).toHaveLength(1);
	});

	describe('close a connection', () => {
		beforeEach(() => {
			jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance'] });
		});

		afterEach(() => {
			jest.useRealTimers();
		});

		/** Waits until the end of the last snapshot was answered. */
		const settled = () => Promise.all(opened.map((connection) => connection.run('')));

		it('that nobody has used for 30 seconds', async () => {
			await readers.run(backend);
			await settled();
			expect(jest.getTimerCount()).toBe(1);
			await jest.advanceTimersByTimeAsync(29_999);
			expect(isOpen()).toEqual([true]);
			await readers.run(backend);
			await settled();
			expect(jest.getTimerCount()).toBe(1);
			await jest.advanceTimersByTimeAsync(29_999);
			expect(isOpen()).toEqual([true]);
			const ended = new Promise<void>((resolve) => opened[0]?.onceEnded(resolve));
			await jest.advanceTimersByTimeAsync(1);
			await ended;
			expect(isOpen()).toEqual([false]);
			await readers.run(backend);
			expect(isOpen()).toEqual([false, true]);
		});

		it('of two, each in its own time', async () => {
			const both = () => Promise.all([readers.run(backend), readers.run(backend)]);
			await both();
			await jest.advanceTimersByTimeAsync(20_000);
			await readers.run(backend);
			const ended = Promise.race(
				opened.map((connection) => new Promise<void>((resolve) => connection.onceEnded(resolve))),
			);
			await jest.advanceTimersByTimeAsync(10_000);
			await ended;
			expect(isOpen().filter(Boolean)).toHaveLength(1);
			await readers.run(backend);
			expect(opened).toHaveLength(2);
		});

		it('that was lost while it was used, without waiting', async () => {
			const reading = readers.run(() => {
				opened[0]?.abandon();
				return Promise.resolve();
			});
			await reading;
			await expect(opened[0]?.run('')).rejects.toMatchObject({
				code: 'error.gateway.store.postgresLost',
			});
			expect(jest.getTimerCount()).toBe(0);
		});

		it('when they are closed, which leaves no timer behind', async () => {
			await Promise.all([readers.run(backend), readers.run(backend)]);
			await readers.close();
			expect(isOpen()).toEqual([false, false]);
			expect(jest.getTimerCount()).toBe(0);
			expect(await readers.run(backend)).toBeGreaterThan(0);
			expect(opened).toHaveLength(3);
		});
	});

	it('do not keep the process alive until a connection has been idle for long enough', async () => {
		const started = jest.spyOn(globalThis, 'setTimeout');
		await readers.run(backend);
		const timers = started.mock.calls.flatMap(([, ms], index) =>
			ms === 30_000 ? [started.mock.results[index]?.value as NodeJS.Timeout] : [],
		);
		expect(timers.map((timer) => timer.hasRef())).toEqual([false]);
	});

	it('end before they are closed', async () => {
		let hasEnded = false;
		const reading = readers.run(async (executor) => {
			await executor.query('select pg_sleep(0.05)', []);
			hasEnded = true;
		});
		const other = readers.run(backend);
		await readers.close();
		expect(hasEnded).toBe(true);
		await Promise.all([reading, other]);
		expect(isOpen()).toEqual([false, false]);
		await Promise.all([1, 2, 3].map(() => readers.run(backend)));
		expect(opened).toHaveLength(4);
	});
});
