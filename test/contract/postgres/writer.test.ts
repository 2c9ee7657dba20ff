import { systemClock } from '../../../core/base/clock';
import { PostgresConnection } from '../../../core/store/postgres/postgres-connection';
import { lockKeys, scopeKeys } from '../../../core/store/postgres/postgres-settings';
import type { PostgresTransaction } from '../../../core/store/postgres/postgres-transaction';
import { PostgresWriter } from '../../../core/store/postgres/postgres-writer';
import type { SqlExecutor } from '../../../core/store/sql/executor';
import { Forwarder } from '../../support/forwarder';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { until } from '../../support/until';

jest.setTimeout(60_000);

const schema = 'public';
const codes = {
	lost: { code: 'error.gateway.store.postgresLost' },
	unreachable: { code: 'error.gateway.store.postgresUnreachable' },
	busy: { code: 'error.gateway.store.busy' },
	unknown: { code: 'error.gateway.store.postgresOutcomeUnknown' },
};

describeWithPostgres('a writer of an account in PostgreSQL', () => {
	let database: TestDatabase;
	let forwarder: Forwarder;
	let observer: PostgresConnection;
	let writer: PostgresWriter;
	let restored = 0;
	const writers: PostgresWriter[] = [];
	const opened: PostgresConnection[] = [];

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	beforeEach(async () => {
		forwarder = await Forwarder.to(database.config.port);
		observer = await PostgresConnection.open(database.config, schema);
		await observer.run('drop table if exists t; create table t (n int unique)');
		restored = 0;
		writer = newWriter();
	});

	afterEach(async () => {
		jest.restoreAllMocks();
		for (const one of writers.splice(0)) await one.close();
		opened.length = 0;
		await observer.close();
		await forwarder.close();
	});

	function newWriter(): PostgresWriter {
		const config = { ...database.config, port: forwarder.port };
		const made = new PostgresWriter({
			schema,
			open: async () => {
				const connection = await PostgresConnection.open(config, schema);
				opened.push(connection);
				return connection;
			},
			onReconnected: () => restored++,
		});
		writers.push(made);
		return made;
	}

	const insert = (executor: SqlExecutor, n: number) =>
		executor.change('insert into t values ($1)', [n]);

	const later = (executor: SqlExecutor, n: number) =>
		executor.later?.('insert into t values ($1)', [n]);

	const one = (executor: SqlExecutor) => executor.query<{ one: number }>('select 1 as one', []);

	const stored = async (): Promise<number[]> => {
		const rows = await observer.query<{ n: number }>('select n from t order by n', []);
		return rows.map(({ n }) => n);
	};

	/** Modes of the advisory locks that are held in this database, by key. */
	const locks = async (): Promise<Record<string, string>> => {
		const rows = await observer.query<{ key: string; mode: string }>(
			`select ((classid::int8 << 32) | objid::int8)::text as key, mode from pg_locks
				where locktype = 'advisory' and objsubid = 1 and granted
					and database = (select oid from pg_database where datname = current_database())`,
			[],
		);
		return Object.fromEntries(rows.map(({ key, mode }) => [key, mode]));
	};

	const sent = (connection = opened[0]) => {
		const run = jest.spyOn(connection as PostgresConnection, 'run');
		return () => run.mock.calls.map(([statement]) => statement);
	};

	describe('runs work', () => {
		it('in a transaction that is committed, and returns its result', async () => {
			const result = await writer.run(async (executor) => {
				await insert(executor, 1);
				expect(await stored()).toEqual([]);
				return 'result';
			});
			expect(result).toBe('result');
			expect(await stored()).toEqual([1]);
		});

		it('with the given commit, which is asked for after the work', async () => {
			await writer.connect();
			const statements = sent();
			const order: string[] = [];
			await writer.run(
				async (executor) => {
					await insert(executor, 1);
					order.push('work');
				},
				{},
				() => {
					order.push('commit');
					return 'select 7; commit';
				},
			);
			expect(order).toEqual(['work', 'commit']);
			expect(statements()[1]).toBe('select 7; commit');
			expect(await stored()).toEqual([1]);
		});

		it('one after the other, in the order of the calls', async () => {
			const order: string[] = [];
			const run = (name: string) =>
				writer.run(async (executor) => {
					order.push(`${name} begins`);
					await one(executor);
					await one(executor);
					order.push(`${name} ends`);
				});
			await Promise.all([run('a'), run('b')]);
			expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
			expect(opened).toHaveLength(1);
		});

		it('that failed without a trace, and with its own error', async () => {
			const mistake = new Error('mistake');
			const failing = writer.run(async (executor) => {
				await insert(executor, 1);
				throw mistake;
			});
			await expect(failing).rejects.toBe(mistake);
			expect(await locks()).toEqual({});
			expect(await stored()).toEqual([]);
			await writer.run((executor) => insert(executor, 2));
			expect(await stored()).toEqual([2]);
			expect(opened).toHaveLength(1);
		});

		it('that failed in the database with the name of the failure', async () => {
			const slow = writer.run(async (executor) => {
				await executor.query("select set_config('statement_timeout', '1', true)", []);
				await executor.query('select pg_sleep(2)', []);
			});
			await expect(slow).rejects.toMatchObject(codes.busy);
			const thrown = Object.assign(new Error('refused'), { code: '55P03' });
			await expect(writer.run(() => Promise.reject(thrown))).rejects.toMatchObject(codes.busy);
		});
	});

	describe('holds locks until the commit:', () => {
		const { writer: whole, events } = lockKeys(schema);
		const [a, b] = ['a', 'b'].map((name) => scopeKeys(schema, [name])[0] as string);
		const key = (text: string | undefined) => String(text);

		it('that of the account alone without a scope', async () => {
			await writer.run(async (executor) => {
				await one(executor);
				expect(await locks()).toEqual({ [whole]: 'ExclusiveLock' });
				await executor.beforeEvent?.();
				await one(executor);
				expect(await locks()).toEqual({ [whole]: 'ExclusiveLock' });
			});
			expect(await locks()).toEqual({});
		});

		it('shared, with those of the scope, and that of events from the first one on', async () => {
			const scoped = { [whole]: 'ShareLock', [key(a)]: 'ExclusiveLock', [key(b)]: 'ExclusiveLock' };
			await writer.run(
				async (executor) => {
					await one(executor);
					expect(await locks()).toEqual(scoped);
					await executor.beforeEvent?.();
					await executor.settle?.();
					expect(await locks()).toEqual({ ...scoped, [events]: 'ExclusiveLock' });
				},
				{ scope: ['b', 'a'] },
			);
			expect(await locks()).toEqual({});
		});

		it('that of events again after a savepoint that released it', async () => {
			await writer.run(
				async (executor) => {
					await executor.change('savepoint s', []);
					const change = jest.spyOn(opened[0] as PostgresConnection, 'change');
					await executor.beforeEvent?.();
					await executor.beforeEvent?.();
					expect(change).toHaveBeenCalledTimes(1);
					await executor.change('rollback to s', []);
					expect(Object.keys(await locks())).not.toContain(events);
					executor.onUndone?.();
					await executor.beforeEvent?.();
					await executor.settle?.();
					expect(Object.keys(await locks())).toContain(events);
				},
				{ scope: ['a'] },
			);
		});
	});

	describe('sends changes without waiting', () => {
		it('and commits what they did', async () => {
			await writer.run(async (executor) => {
				await later(executor, 1);
				await later(executor, 2);
			});
			expect(await stored()).toEqual([1, 2]);
		});

		it('and reports the first that failed, wherever that is noticed', async () => {
			await insert(observer, 1);
			const duplicate = { code: '23505' };
			const atCommit = writer.run((executor) => later(executor, 1) as Promise<void>);
			await expect(atCommit).rejects.toMatchObject(duplicate);
			const atNext = writer.run(async (executor) => {
				await later(executor, 1);
				await insert(executor, 2);
			});
			await expect(atNext).rejects.toMatchObject(duplicate);
			const atSettle = writer.run(async (executor) => {
				await later(executor, 1);
				await later(executor, 3);
				await executor.settle?.();
			});
			await expect(atSettle).rejects.toMatchObject(duplicate);
			const overlooked = writer.run(async (executor) => {
				await later(executor, 1);
				await one(executor).catch(() => undefined);
			});
			await expect(overlooked).rejects.toMatchObject(duplicate);
			expect(await stored()).toEqual([1]);
		});

		it('and reports the first that failed when its answer comes together with the last', async () => {
			await insert(observer, 1);
			forwarder.answersTakeMs = 20;
			for (let times = 0; times < 20; times++) {
				const failing = writer.run((executor) => {
					void executor.later?.('insert into t select 1 from pg_sleep(0.05)', []);
					return later(executor, 1) as Promise<void>;
				});
				await expect(failing).rejects.toMatchObject({ code: '23505' });
			}
			expect(await stored()).toEqual([1]);
		});

		it('and forgets a failure that was undone', async () => {
			await insert(observer, 1);
			await writer.run(async (executor) => {
				await executor.change('savepoint s', []);
				await later(executor, 1);
				await expect(executor.settle?.()).rejects.toMatchObject({ code: '23505' });
				await executor.change('rollback to s', []);
				executor.onUndone?.();
				await later(executor, 2);
				await executor.settle?.();
			});
			expect(await stored()).toEqual([1, 2]);
		});

		it('but never more than 100 of them', async () => {
			await writer.run(async (executor) => {
				await one(executor);
				const settle = jest.spyOn(executor as PostgresTransaction, 'settle');
				for (let n = 1; n <= 100; n++) void later(executor, n);
				expect(settle).not.toHaveBeenCalled();
				await later(executor, 101);
				expect(settle).toHaveBeenCalledTimes(1);
				await later(executor, 102);
				expect(settle).toHaveBeenCalledTimes(1);
			});
			expect(await stored()).toHaveLength(102);
		});

		it('and counts those that failed as answered', async () => {
			await insert(observer, 1);
			await writer.run(async (executor) => {
				await executor.change('savepoint s', []);
				for (let times = 0; times < 100; times++) void later(executor, 1);
				await executor.settle?.().catch(() => undefined);
				await executor.change('rollback to s', []);
				executor.onUndone?.();
				const settle = jest.spyOn(executor as PostgresTransaction, 'settle');
				await later(executor, 2);
				expect(settle).not.toHaveBeenCalled();
			});
			expect(await stored()).toEqual([1, 2]);
		});
	});

	it('refuses statements after the end of their transaction', async () => {
		let late: SqlExecutor | undefined;
		await writer.run(async (executor) => {
			late = executor;
			await one(executor);
		});
		const ended = 'The transaction has ended';
		await expect(late?.query('select 1', [])).rejects.toThrow(ended);
		await expect(late?.change('select 1', [])).rejects.toThrow(ended);
		await expect(late?.later?.('select 1', [])).rejects.toThrow(ended);
		const failing = writer.run((executor) => {
			late = executor;
			return Promise.reject(new Error('mistake'));
		});
		await expect(failing).rejects.toThrow('mistake');
		await expect(late?.query('select 1', [])).rejects.toThrow(ended);
	});

	it('does not report success if the server rolled back instead of committing', async () => {
		const overlooked = writer.run(async (executor) => {
			await insert(executor, 1);
			await executor.query('mistake', []).catch(() => undefined);
		});
		await expect(overlooked).rejects.toThrow(
			new TypeError('A statement failed within the transaction, and its failure was overlooked'),
		);
		expect(await stored()).toEqual([]);
	});

	it('rolls back if the commit is refused, with the name of the refusal', async () => {
		await observer.run(
			'alter table t add constraint c foreign key (n) references t (n) deferrable initially deferred; ' +
				"create function refuse() returns trigger language plpgsql as $$ begin raise 'no' using errcode = '55P03'; end $$; " +
				'create constraint trigger r after insert on t deferrable initially deferred for each row execute function refuse()',
		);
		const refused = writer.run((executor) => insert(executor, 1));
		await expect(refused).rejects.toMatchObject(codes.busy);
		await observer.run('drop table t; drop function refuse; create table t (n int unique)');
		await writer.run((executor) => insert(executor, 2));
		expect(await stored()).toEqual([2]);
		expect(opened).toHaveLength(1);
	});

	describe('can be given up', () => {
		it('before its turn', async () => {
			const abort = new AbortController();
			const { promise: end, resolve } = Promise.withResolvers<void>();
			const first = writer.run(() => end);
			const work = jest.fn();
			const second = writer.run(work, { signal: abort.signal });
			abort.abort(new Error('given up'));
			await expect(second).rejects.toThrow('given up');
			resolve();
			await first;
			expect(work).not.toHaveBeenCalled();
		});

		it('while it connects, and the next one still has its turn', async () => {
			forwarder.hold();
			const abort = new AbortController();
			const work = jest.fn();
			const waiting = writer.run(work, { signal: abort.signal });
			const next = writer.run((executor) => insert(executor, 1));
			abort.abort(new Error('given up'));
			await expect(waiting).rejects.toThrow('given up');
			forwarder.letGo();
			await next;
			expect(work).not.toHaveBeenCalled();
			expect(opened).toHaveLength(1);
		});

		it('while another process holds the lock, without waiting for it', async () => {
			await observer.run(`begin; select pg_advisory_xact_lock(${lockKeys(schema).writer})`);
			const abort = new AbortController();
			const waiting = writer.run((executor) => insert(executor, 1), { signal: abort.signal });
			const refused = expect(waiting).rejects.toThrow('given up');
			await until(() => opened.length === 1);
			abort.abort(new Error('given up'));
			await refused;
			await observer.run('commit');
			await writer.run((executor) => insert(executor, 2));
			expect(await stored()).toEqual([2]);
		});

		it('no more once it has begun', async () => {
			const abort = new AbortController();
			await writer.run(
				async (executor) => {
					await one(executor);
					const inserted = insert(executor, 1);
					abort.abort(new Error('given up'));
					expect(await inserted).toBe(1);
				},
				{ signal: abort.signal },
			);
			expect(await stored()).toEqual([1]);
		});
	});

	describe('knows how far the clock of the server is ahead', () => {
		it.each([
			[0, 0],
			[1_900, 0],
			[-1_900, 0],
			[-180_000, 180_000],
			[180_000, -180_000],
		])('of a host that is %d ms ahead', async (hostAheadMs, expected) => {
			const now = Date.now.bind(Date);
			jest.spyOn(systemClock, 'now').mockImplementation(() => now() + hostAheadMs);
			await writer.run(one);
			expect(Math.abs(writer.clockAheadMs - expected)).toBeLessThan(expected === 0 ? 1 : 1_500);
			expect(Number.isInteger(writer.clockAheadMs)).toBe(true);
		});
	});

	describe('whose connection is lost', () => {
		it('takes another one for the next work, and sends again what was not answered', async () => {
			await writer.run(one);
			forwarder.swallowAnswers();
			const working = writer.run(async (executor) => {
				await later(executor, 1);
				await insert(executor, 2);
			});
			await new Promise((resolve) => setTimeout(resolve, 20));
			forwarder.cut();
			await working;
			expect(await stored()).toEqual([1, 2]);
			expect(opened).toHaveLength(2);
		});

		it('reports the loss while it connects', async () => {
			await writer.connect();
			opened[0]?.abandon();
			forwarder.swallowAnswers();
			const working = expect(writer.run(one)).rejects.toMatchObject(codes.lost);
			await until(() => forwarder.used === 2);
			forwarder.cut();
			await working;
			expect(await writer.run(one)).toEqual([{ one: 1 }]);
		});

		it('reports the loss in the middle, and goes on with the next work', async () => {
			const lost = writer.run(async (executor) => {
				await insert(executor, 1);
				forwarder.cut();
				await insert(executor, 2);
			});
			await expect(lost).rejects.toMatchObject(codes.lost);
			await writer.run((executor) => insert(executor, 3));
			expect(await stored()).toEqual([3]);
		});

		it('reports that the server is away, to each that waits for it', async () => {
			await writer.run(one);
			await forwarder.pause();
			const both = await Promise.allSettled([1, 2].map(() => writer.run(one)));
			expect(both).toMatchObject([
				{ status: 'rejected', reason: codes.unreachable },
				{ status: 'rejected', reason: codes.unreachable },
			]);
			await forwarder.resume();
			expect(await writer.run(one)).toEqual([{ one: 1 }]);
		});

		it('restores it by itself, and says so once', async () => {
			await writer.run(one);
			expect(restored).toBe(0);
			await forwarder.pause();
			await new Promise((resolve) => setTimeout(resolve, 300));
			expect([restored, opened.length]).toEqual([0, 1]);
			await forwarder.resume();
			await until(() => restored === 1);
			await new Promise((resolve) => setTimeout(resolve, 300));
			expect([restored, opened.length]).toEqual([1, 2]);
		});

		it('says so too if other work was faster, because notifications were missed all the same', async () => {
			await writer.run(one);
			forwarder.cut();
			await until(() => opened[0]?.isOpen === false);
			await writer.run(one);
			expect(opened).toHaveLength(2);
			await new Promise((resolve) => setTimeout(resolve, 300));
			expect([restored, opened.length]).toEqual([1, 2]);
		});

		it('does not restore it once it is closed', async () => {
			await writer.run(one);
			forwarder.cut();
			await until(() => opened[0]?.isOpen === false);
			await writer.close();
			await new Promise((resolve) => setTimeout(resolve, 300));
			expect([restored, opened.length]).toEqual([0, 1]);
		});
	});

	describe('whose commit has no answer', () => {
		const commitWithoutAnswer = async (n: number) => {
			await writer.run(one);
			return writer.run(async (executor) => {
				await insert(executor, n);
				forwarder.swallowAnswers();
			});
		};

		it('finds out that it has happened', async () => {
			const committing = commitWithoutAnswer(1);
			await until(async () => (await stored()).length === 1);
			forwarder.cut();
			await committing;
			expect(restored).toBeLessThanOrEqual(1);
		});

		it('finds out that it has not happened, and reports the loss', async () => {
			await writer.run(one);
			const lost = writer.run(
				async (executor) => {
					await insert(executor, 1);
				},
				{},
				() => {
					forwarder.cut();
					return 'commit';
				},
			);
			await expect(lost).rejects.toMatchObject(codes.lost);
			expect(await stored()).toEqual([]);
		});

		it('asks until the server answers', async () => {
			const committing = commitWithoutAnswer(1);
			await until(async () => (await stored()).length === 1);
			await forwarder.pause();
			await new Promise((resolve) => setTimeout(resolve, 100));
			await forwarder.resume();
			await committing;
		});

		it('says after 20 seconds that it does not know', async () => {
			const committing = commitWithoutAnswer(1);
			await until(async () => (await stored()).length === 1);
			const start = performance.now();
			const clock = jest.spyOn(performance, 'now').mockReturnValue(start);
			const connect = jest.spyOn(writer, 'connect');
			await forwarder.pause();
			await until(() => connect.mock.calls.length > 0);
			let isSettled = false;
			const settled = committing.catch((error: unknown) => error);
			void settled.then(() => (isSettled = true));
			clock.mockReturnValue(start + 19_999);
			await new Promise((resolve) => setTimeout(resolve, 150));
			expect(isSettled).toBe(false);
			clock.mockReturnValue(start + 20_000);
			expect(await settled).toMatchObject({ ...codes.unknown, cause: codes.lost });
			await forwarder.resume();
		});
	});

	it('leaves no session behind if it is closed while it restores its connection', async () => {
		await writer.run(one);
		forwarder.cut();
		forwarder.hold();
		await until(() => forwarder.used === 2);
		await writer.close();
		forwarder.letGo();
		await until(() => opened.length === 2);
		await until(() => opened[1]?.isOpen === false);
		expect(restored).toBe(0);
		await expect(writer.connect()).rejects.toMatchObject({ code: 'error.gateway.store.closed' });
	});

	it('closes after all earlier work has ended', async () => {
		let hasEnded = false;
		const working = writer.run(async (executor) => {
			await executor.query('select pg_sleep(0.05)', []);
			hasEnded = true;
		});
		await writer.close();
		expect(hasEnded).toBe(true);
		expect(opened.map((connection) => connection.isOpen)).toEqual([false]);
		await working;
		await newWriter().close();
	});
});
