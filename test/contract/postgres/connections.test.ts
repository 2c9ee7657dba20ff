import { systemRandom } from '../../../core/base/random';
import {
	openStore,
	peekAccount,
	type AccountConfig,
	type AccountStore,
} from '../../../core/store/open-store';
import { systemClock } from '../../../core/base/clock';
import { Forwarder } from '../../support/forwarder';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { appendedTo, newEvent, templateRecord } from '../../support/records';
import { until } from '../../support/until';

jest.setTimeout(120_000);

describeWithPostgres('several connections to one account in PostgreSQL', () => {
	let database: TestDatabase;
	let account: AccountConfig;
	const opened: AccountStore[] = [];

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	beforeEach(() => {
		account = database.account();
	});

	afterEach(async () => {
		for (const store of opened.splice(0)) await store.close();
		await database.remove(account);
	});

	async function open(config = account): Promise<AccountStore> {
		const store = await openStore(config, { clock: systemClock, random: systemRandom });
		opened.push(store);
		return store;
	}

	const append = (store: AccountStore, id: string): Promise<number> =>
		store.transact((tx) => appendedTo(tx, newEvent({ id })));

	describe('the outbox', () => {
		it('never shows a number before all lower ones, whichever process writes', async () => {
			const [first, second, reader] = [await open(), await open(), await open()];
			const each = 40;
			const writing = Promise.all(
				[first, second].map(async (store, writer) => {
					for (let index = 0; index < each; index++) await append(store, `${writer}-${index}`);
				}),
			);
			const seen: number[] = [];
			await until(async () => {
				const events = await reader.read((tx) => tx.outbox.readAfter(seen.at(-1) ?? 0, 100));
				seen.push(...events.map(({ sequence }) => sequence));
				return seen.length >= 2 * each;
			});
			await writing;
			expect(seen).toEqual(Array.from({ length: 2 * each }, (_, index) => index + 1));
		});

		it('wakes readers of other processes, each once', async () => {
			const [here, there] = [await open(), await open()];
			// A store that has not written yet listens as soon as it does.
			await there.transact((tx) => tx.counters.reserve('any'));
			const told = { here: 0, there: 0 };
			here.onEventsAppended(() => told.here++);
			there.onEventsAppended(() => told.there++);
			await append(here, 'a');
			await until(() => told.there === 1);
			await append(there, 'b');
			await until(() => told.here === 2);
			expect(told).toEqual({ here: 2, there: 2 });
		});
	});

	describe('a transaction', () => {
		it('has read the newest before it writes, also when another was faster', async () => {
			const stores = [await open(), await open(), await open()];
			const increase = (store: AccountStore): Promise<void> =>
				store.transact(async (tx) => {
					const current = (await tx.consumers.get('c'))?.position ?? 0;
					await tx.consumers.put({ name: 'c', position: current + 1, parked: [], seenAt: 'now' });
				});
			await Promise.all(Array.from({ length: 30 }, (_, index) => increase(stores[index % 3]!)));
			const read = await stores[0]!.read((tx) => tx.consumers.get('c'));
			expect(read?.position).toBe(30);
		});

		it('reads one state although others commit', async () => {
			const [reader, writer] = [await open(), await open()];
			const counts = await reader.read(async (tx) => {
				const before = await tx.templates.count();
				await writer.transact((other) =>
					other.templates.insert(templateRecord('RLT1'), { secretKey: 'k' }),
				);
				return [before, await tx.templates.count()];
			});
			expect(counts).toEqual([0, 0]);
			expect(await reader.read((tx) => tx.templates.count())).toBe(1);
		});

		it('that waits for another process can be given up', async () => {
			const [holder, waiter] = [await open(), await open()];
			const abort = new AbortController();
			const reason = new Error('cancelled');
			const work = jest.fn();
			await holder.transact(async () => {
				const waiting = waiter.transact(work, { signal: abort.signal });
				setImmediate(() => abort.abort(reason));
				await expect(waiting).rejects.toBe(reason);
			});
			expect(await waiter.transact(() => Promise.resolve('next'))).toBe('next');
			expect(work).not.toHaveBeenCalled();
		});

		it('of a suspended process is taken from it, and nothing of its work is stored', async () => {
			const [still, other] = [await open(), await open()];
			const answer = still.transact(async (tx) => {
				await tx.templates.insert(templateRecord('RLT1'), { secretKey: 'k' });
				// What the server does to a session that has been idle in a transaction for too long.
				await database.query(
					`select pg_terminate_backend(pid) from pg_stat_activity
						where state = 'idle in transaction' and datname = current_database()`,
				);
				await tx.templates.insert(templateRecord('RLT2'), { secretKey: 'k' });
			});
			await expect(answer).rejects.toMatchObject({
				code: 'error.gateway.store.postgresLost',
				kind: 'unavailable',
			});
			expect(await other.read((tx) => tx.templates.count())).toBe(0);
			await still.transact((tx) => tx.templates.insert(templateRecord('RLT3'), { secretKey: 'k' }));
			expect(await other.read((tx) => tx.templates.count())).toBe(1);
		});

		it('does not look successful when a failed statement was overlooked', async () => {
			const store = await open();
			const overlooking = store.transact(async (tx) => {
				await tx.outbox.readAfter(Number.NaN, 1).catch(() => undefined);
			});
			await expect(overlooking).rejects.toThrow(TypeError);
		});
	});

	describe('a lease', () => {
		const take = (store: AccountStore, holder: string): Promise<boolean> =>
			store.transact((tx) => tx.leases.take('sync', holder, 3_600_000));

		/** The server is taken to know everybody when it has been up for a while. */
		beforeAll(() =>
			database.query(
				`select pg_sleep(greatest(0, extract(epoch from
					pg_postmaster_start_time() + interval '16 seconds' - clock_timestamp())))`,
			),
		);

		it('is free as soon as its process is gone', async () => {
			const [gone, next] = [await open(), await open()];
			expect(await take(gone, 'gone')).toBe(true);
			expect(await take(next, 'next')).toBe(false);
			await gone.close();
			await until(() => take(next, 'next'));
			const leases = await next.read((tx) => tx.leases.list());
			expect(leases).toEqual([{ name: 'sync', holder: 'next', isExpired: false }]);
		});

		it('has a holder that is known to be gone once its process has closed the account', async () => {
			const [gone, next] = [await open(), await open()];
			const marked = await gone.read((tx) => Promise.resolve(tx.leases.mark('gone')));
			const isGone = (): Promise<boolean> => next.transact((tx) => tx.leases.isGone(marked));
			await append(gone, 'connected');
			expect(await isGone()).toBe(false);
			await gone.close();
			await until(isGone);
		});

		it("follows the server's clock, also where this host's is wrong by minutes", async () => {
			const store = await open();
			const trueTime = Date.now.bind(Date);
			const wrong = jest.spyOn(Date, 'now').mockImplementation(() => trueTime() - 180_000);
			try {
				await append(store, 'measured');
				expect(Math.abs(store.clock.now() - trueTime())).toBeLessThan(10_000);
			} finally {
				wrong.mockRestore();
			}
		});

		it('that was lost lets nothing be committed, wherever that was begun', async () => {
			const [late, successor] = [await open(), await open()];
			await take(late, 'late');
			const insert = (id: string): Promise<void> =>
				late.transact((tx) => tx.templates.insert(templateRecord(id), { secretKey: 'k' }));
			const working = late.underLease({ name: 'sync', holder: 'late' }, async () => {
				await insert('RLT1');
				await successor.transact(async (tx) => {
					await tx.leases.drop('sync', 'late');
					await tx.leases.take('sync', 'successor', 3_600_000);
				});
				await insert('RLT2');
			});
			await expect(working).rejects.toMatchObject({ code: 'error.gateway.store.leaseLost' });
			await insert('RLT3');
			const ids = await successor.read(async (tx) =>
				(await tx.templates.list()).map(({ record }) => record.id),
			);
			expect(ids).toEqual(['RLT1', 'RLT3']);
		});
	});

	describe('when the server is away', () => {
		let forwarder: Forwarder;

		beforeEach(async () => {
			forwarder = await Forwarder.to(database.config.port);
			account = { ...account, store: { ...database.config, port: forwarder.port } };
		});

		afterEach(() => forwarder.close());

		it('goes on with the next call after all connections were cut', async () => {
			const store = await open();
			await append(store, 'before');
			await store.read((tx) => tx.outbox.lastSequence());
			forwarder.cut();
			expect(await append(store, 'after')).toBe(2);
			expect(await store.read((tx) => tx.outbox.lastSequence())).toBe(2);
		});

		it('says so, and works again when the server is back', async () => {
			const store = await open();
			await append(store, 'before');
			await forwarder.pause();
			const unreachable = {
				code: 'error.gateway.store.postgresUnreachable',
				kind: 'unavailable',
				facts: { field: 'store.host' },
			};
			await expect(append(store, 'lost')).rejects.toMatchObject(unreachable);
			await expect(store.read((tx) => tx.outbox.lastSequence())).rejects.toMatchObject(unreachable);
			await forwarder.resume();
			expect(await append(store, 'after')).toBe(2);
		});

		it('hears of what others appended meanwhile', async () => {
			const store = await open();
			await append(store, 'before');
			let told = 0;
			store.onEventsAppended(() => told++);
			forwarder.cut();
			await until(() => told > 0);
		});

		it('knows whether a commit whose answer was lost has happened', async () => {
			const store = await open();
			await append(store, 'before');
			const committing = store.transact(async (tx) => {
				await tx.outbox.lastSequence();
				await tx.outbox.append(newEvent({ id: 'answer lost' }));
				forwarder.swallowAnswers();
			});
			await until(async () => {
				const [row] = await database.query<{ last: string }>(
					`select max(sequence) as last from "${schemaOfTest()}".outbox`,
				);
				return Number(row?.last) === 2;
			});
			forwarder.cut();
			await committing;
			expect(await store.read((tx) => tx.outbox.lastSequence())).toBe(2);
		});

		it('sends statements again if their connection was lost before the begin was answered', async () => {
			const store = await open();
			await append(store, 'before');
			const runs: number[] = [];
			const committing = store.transact(async (tx) => {
				forwarder.swallowAnswers();
				await tx.outbox.append(newEvent({ id: 'first' }));
				await tx.outbox.append(newEvent({ id: 'second' }));
				setImmediate(() => forwarder.cut());
				runs.push(await tx.outbox.lastSequence());
			});
			await committing;
			expect(runs).toEqual([3]);
			const events = await store.read((tx) => tx.outbox.readAfter(1, 10));
			expect(events.map(({ data }) => data['id'])).toEqual(['first', 'second']);
		});

		const schemaOfTest = (): string => `enmeshed:${account.account}`;
	});

	it('are few', async () => {
		const store = await open();
		await Promise.all([
			...Array.from({ length: 10 }, (_, index) => append(store, `event ${index}`)),
			...Array.from({ length: 10 }, () => store.read((tx) => tx.templates.count())),
		]);
		expect(await database.sessions()).toBeLessThanOrEqual(3);
	});

	it('leave other accounts alone', async () => {
		const other = database.account();
		const [first, second] = [await open(), await open(other)];
		await first.transact((tx) => tx.templates.insert(templateRecord('RLT1'), { secretKey: 'k' }));
		expect(await second.read((tx) => tx.templates.count())).toBe(0);
		const wrong = { ...other, passphrase: 'wrong' };
		await expect(open(wrong)).rejects.toMatchObject({
			code: 'error.gateway.store.wrongPassphrase',
		});
		await expect(
			peekAccount(wrong, { clock: systemClock, random: systemRandom }),
		).rejects.toMatchObject({ code: 'error.gateway.store.wrongPassphrase' });
		await second.close();
		await database.remove(other);
	});
});
