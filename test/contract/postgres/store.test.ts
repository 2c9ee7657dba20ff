import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import { StoreKey } from '../../../core/crypto/sealing';
import { loadSodium } from '../../../core/crypto/sodium';
import { SqlAccountState } from '../../../core/store/account/account-rows';
import type { AccountState } from '../../../core/store/account/account-state';
import { createTables } from '../../../core/store/schema/create-tables';
import { postgresSchema } from '../../../core/store/schema/schema-dialect';
import { PostgresConnection } from '../../../core/store/postgres/postgres-connection';
import { queryBuilder } from '../../../core/store/postgres/postgres-dialect';
import { createSchema } from '../../../core/store/postgres/postgres-schema';
import { lockKeys } from '../../../core/store/postgres/postgres-settings';
import {
	PostgresStore,
	type PostgresStoreParts,
} from '../../../core/store/postgres/postgres-store';
import { CompiledStatementCache } from '../../../core/store/sql/compiled-statement-cache';
import { Sealer } from '../../../core/store/sql/sealer';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { newEvent, templateRecord } from '../../support/records';
import { until } from '../../support/until';

jest.setTimeout(30_000);

const schema = 'enmeshed:store';
const { living } = lockKeys(schema);

describeWithPostgres('a store in PostgreSQL', () => {
	let database: TestDatabase;
	let observer: PostgresConnection;
	const compiled = new CompiledStatementCache(queryBuilder(), true);
	const opened: PostgresStore[] = [];

	beforeAll(async () => {
		database = await TestDatabase.create();
		await loadSodium();
		const connection = await PostgresConnection.open(database.config, schema);
		await createSchema(connection, schema);
		await createTables(queryBuilder(connection), postgresSchema);
		await connection.close();
	});

	afterAll(() => database.drop());

	beforeEach(async () => {
		observer = await PostgresConnection.open(database.config, schema);
	});

	afterEach(async () => {
		jest.restoreAllMocks();
		for (const store of opened.splice(0)) await store.close();
		await setAccountState({ state: 'living' });
		await observer.run(
			'delete from outbox; delete from templates; delete from leases; delete from counters',
		);
		await observer.close();
	});

	const open = (parts: Partial<PostgresStoreParts> = {}, sealsContents = false): PostgresStore => {
		const store = new PostgresStore({
			config: database.config,
			schema,
			compiled,
			sealer: new Sealer(new StoreKey(new Uint8Array(32).fill(7)), systemRandom, sealsContents),
			clock: systemClock,
			token: opened.length + 1,
			...parts,
		});
		opened.push(store);
		return store;
	};

	const setAccountState = (accountState: AccountState) =>
		new SqlAccountState(observer, compiled).set(accountState);

	const append = (store: PostgresStore) => store.transact((tx) => tx.outbox.append(newEvent()));

	const insertTemplate = (store: PostgresStore, scope?: readonly string[]) =>
		store.transact((tx) => tx.templates.insert(templateRecord('RLT1'), { secretKey: 'k' }), {
			scope,
		});

	/** Locks that show who has the account open, as mode and token. */
	const openLocks = async (): Promise<string[]> => {
		const rows = await observer.query<{ lock: string }>(
			`select mode || ' ' || (objid::int8) as lock from pg_locks
				where locktype = 'advisory' and objsubid = 2 and classid::int8 = $1 and granted
					and database = (select oid from pg_database where datname = current_database())
				order by objid`,
			[living >>> 0],
		);
		return rows.map(({ lock }) => lock);
	};

	/** Sessions of the gateway besides the test's own. */
	const sessions = async () => (await database.sessions()) - 1;

	/** Statements of the given kind that were sent in one round trip. */
	const sent = () => {
		const run = jest.spyOn(PostgresConnection.prototype, 'run');
		return (kind: RegExp) =>
			run.mock.calls.map(([statement]) => statement).filter((statement) => kind.test(statement));
	};

	it('says what it can', () => {
		expect(open().capabilities).toEqual({
			backend: 'postgres',
			sharedBetweenHosts: true,
			wakesOtherProcesses: true,
		});
	});

	describe('commits', () => {
		it('and tells the others if there are events', async () => {
			const store = open({ token: 7 });
			const statements = sent();
			await insertTemplate(store);
			await append(store);
			expect(statements(/commit$/)).toEqual([
				'commit',
				`select pg_notify('${schema}', '7'); commit`,
			]);
		});

		it('to the disk what no other party can supply again, also if the database would not', async () => {
			const store = open();
			const statements = sent();
			await store.transact((tx) => tx.counters.reserve(`counter ${systemRandom.bytes(4).join()}`));
			const [commit = ''] = statements(/commit$/);
			const settingAfter = async (setting: string) => {
				const { rows } = await observer.run<{ value: string }>(
					`begin; set local synchronous_commit = ${setting}; ` +
						commit.replace(/commit$/, "select current_setting('synchronous_commit') as value"),
				);
				await observer.run('rollback');
				return rows[0]?.value;
			};
			expect(await settingAfter('off')).toBe('on');
			expect(await settingAfter('local')).toBe('local');
			expect(commit).toMatch(/; commit$/);
		});

		it('one after the other if contents are sealed, because events need their number early', async () => {
			const statements = sent();
			await insertTemplate(open(), ['a']);
			await observer.run('delete from templates');
			await insertTemplate(open({}, true), ['a']);
			const shared = statements(/^begin; /).map((begin) => begin.includes('_shared'));
			expect(shared).toEqual([true, false]);
		});
	});

	describe('hears of events', () => {
		it('of others and of its own, each once', async () => {
			const [here, there] = [open(), open()];
			const told = { here: 0, there: 0 };
			here.onEventsAppended(() => told.here++);
			there.onEventsAppended(() => told.there++);
			await append(there);
			expect(told).toEqual({ here: 0, there: 1 });
			await append(here);
			await until(() => told.there === 2);
			expect(told).toEqual({ here: 1, there: 2 });
		});
	});

	describe('after a reconnection', () => {
		const reserve = (store: PostgresStore, name: string) =>
			store.transact((tx) => tx.counters.reserve(name));

		/** Cuts all connections but the test's own. */
		const cutConnections = async () => {
			const [own] = await observer.query<{ pid: number }>('select pg_backend_pid() as pid', []);
			await database.cutSessions(own?.pid);
		};

		it('has heard of the events that it may have missed', async () => {
			const store = open();
			let told = 0;
			await insertTemplate(store);
			store.onEventsAppended(() => told++);
			await cutConnections();
			await until(() => told === 1);
		});

		it('does not miss a counter that another store has deleted', async () => {
			const [here, there] = [open(), open()];
			await reserve(here, 'transmit:a');
			await reserve(here, 'transmit:b');
			await there.transact((tx) => tx.counters.delete('transmit:a'));
			await cutConnections();
			expect(await reserve(here, 'transmit:b')).toBeGreaterThan(0);
		});

		it('refuses everything if a counter has gone back', async () => {
			const [here, other] = [open(), open()];
			await reserve(here, 'transmit:a');
			await observer.run('update counters set next = 0');
			await cutConnections();
			const refusal = { code: 'error.gateway.store.rolledBack', kind: 'conflict' };
			await expect(append(here)).rejects.toMatchObject(refusal);
			await expect(reserve(here, 'transmit:a')).rejects.toMatchObject(refusal);
			await append(other);
		});

		it('does not use the rest of its block of numbers, which the database may have forgotten', async () => {
			const store = open();
			const first = await reserve(store, 'transmit:c');
			const [block] = await observer.query<{ end: number }>(
				`select next::float8 as end from counters where name = 'block'`,
				[],
			);
			await cutConnections();
			expect(block?.end).toBeGreaterThan(first + 1);
			expect(await reserve(store, 'transmit:c')).toBeGreaterThanOrEqual(block?.end ?? Infinity);
		});
	});

	describe('shows that it has the account open', () => {
		it('with a lock that all share and one of its own, until it is closed', async () => {
			const store = open({ token: 9 });
			expect(await openLocks()).toEqual([]);
			await insertTemplate(store);
			expect(await openLocks()).toEqual(['ShareLock 0', 'ShareLock 9']);
			await store.read((tx) => tx.templates.count());
			await store.close();
			await until(async () => (await sessions()) === 0);
			expect(await openLocks()).toEqual([]);
		});

		it('alone if it moves the account', async () => {
			const store = open({ token: 9, access: 'alone' });
			await insertTemplate(store);
			expect(await openLocks()).toEqual(['ExclusiveLock 0', 'ShareLock 9']);
		});
	});

	describe('that wants the account alone', () => {
		it('waits for another store that is just closing', async () => {
			const other = open();
			await insertTemplate(other);
			const alone = insertTemplateAgain(open({ access: 'alone' }));
			await new Promise((resolve) => setTimeout(resolve, 50));
			await other.close();
			await alone;
		});

		it('is refused after 3 seconds, and leaves no session behind', async () => {
			await insertTemplate(open());
			const before = await sessions();
			const start = performance.now();
			const clock = jest.spyOn(performance, 'now').mockReturnValue(start);
			const statements = sent();
			const refused = insertTemplateAgain(open({ access: 'alone' }));
			let isSettled = false;
			const settled = refused.catch((error: unknown) => error).finally(() => (isSettled = true));
			await until(() => statements(/pg_try_advisory_lock/).length > 0);
			clock.mockReturnValue(start + 2_999);
			await new Promise((resolve) => setTimeout(resolve, 250));
			expect(isSettled).toBe(false);
			clock.mockReturnValue(start + 3_000);
			expect(await settled).toMatchObject({
				code: 'error.gateway.store.openElsewhere',
				message: `The account in the schema '${schema}' is open in another program.`,
			});
			await until(async () => (await sessions()) === before);
		});

		const insertTemplateAgain = (store: PostgresStore) =>
			store.transact((tx) => tx.templates.insert(templateRecord('RLT2'), { secretKey: 'k' }));
	});

	describe('of an account that has been moved away', () => {
		beforeEach(() =>
			setAccountState({ state: 'retired', move: 'm', to: 'there', since: 'then', digest: 'd' }),
		);

		it('stores nothing, and leaves no session behind', async () => {
			await expect(insertTemplate(open())).rejects.toMatchObject({
				code: 'error.gateway.store.accountMoved',
			});
			await until(async () => (await sessions()) === 0);
		});

		it.each(['alone', 'looking'] as const)('can be opened %s', async (access) => {
			await insertTemplate(open({ access }));
		});
	});

	describe('judges leases', () => {
		const take = (store: PostgresStore, holder: string) =>
			store.transact((tx) => tx.leases.take('sync', holder, 60_000));

		/** Uptime that the server claims. */
		const uptime = (seconds: number | undefined) => {
			const query = PostgresConnection.prototype.query;
			jest.spyOn(PostgresConnection.prototype, 'query').mockImplementation(async function (
				this: PostgresConnection,
				sql: string,
				parameters: readonly (string | number | null)[],
			) {
				const rows = await query.call(this, sql, parameters);
				if (!sql.includes('pg_postmaster_start_time')) return rows as never;
				return (
					seconds === undefined ? [] : rows.map((row) => ({ ...(row as object), uptime: seconds }))
				) as never;
			});
		};

		it('by the clock of the server', async () => {
			const trueTime = Date.now.bind(Date);
			const store = open({ clock: { now: () => trueTime() - 180_000 } });
			jest.spyOn(systemClock, 'now').mockImplementation(() => trueTime() - 180_000);
			await insertTemplate(store);
			expect(Math.abs(store.clock.now() - trueTime())).toBeLessThan(10_000);
		});

		it.each([5, -5, 2 ** 31 - 1, -(2 ** 31)])(
			'as held until their store with the token %d is closed',
			async (token) => {
				uptime(15);
				const store = open({ token });
				expect(await take(store, 'one')).toBe(true);
				const leases = await open().read((tx) => tx.leases.list());
				expect(leases).toEqual([{ name: 'sync', holder: 'one', isExpired: false }]);
				await store.close();
				await until(async () => (await openLocks()).length === 0);
				expect(await take(open(), 'next')).toBe(true);
			},
		);

		it('as expired after their store was closed, also for a store that only reads', async () => {
			uptime(15);
			const [holder, reader] = [open(), open()];
			await take(holder, 'one');
			await holder.close();
			await until(async () => (await openLocks()).length === 0);
			const leases = await reader.read((tx) => tx.leases.list());
			expect(leases).toEqual([{ name: 'sync', holder: 'one', isExpired: true }]);
		});

		it.each([14.9, undefined])(
			'of a store that may not have reconnected yet as held: the server is up for %s s',
			async (seconds) => {
				uptime(seconds);
				const gone = open();
				await take(gone, 'gone');
				await gone.close();
				await until(async () => (await openLocks()).length === 0);
				expect(await take(open(), 'next')).toBe(false);
			},
		);

		it('without regard to the locks of other accounts', async () => {
			uptime(15);
			await take(open({ token: 5 }), 'one');
			await opened[0]?.close();
			await observer.run(`select pg_advisory_lock_shared(${living + 1}, 5)`);
			expect(await take(open(), 'next')).toBe(true);
		});
	});
});
