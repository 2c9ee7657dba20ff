import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import { openStore, type AccountStore } from '../../../core/store/open-store';
import type { WriteTransaction } from '../../../core/store/store';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { newEvent, templateRecord } from '../../support/records';
import { until } from '../../support/until';

jest.setTimeout(120_000);

/** A transaction of one process that stays open until the test ends it. */
class OpenTransaction {
	hasBegun = false;

	hasEnded = false;

	readonly ended: Promise<void>;

	private finish: () => void = () => undefined;

	constructor(
		store: AccountStore,
		scope: readonly string[] | undefined,
		work: (tx: WriteTransaction) => Promise<void> = () => Promise.resolve(),
	) {
		const finished = new Promise<void>((resolve) => (this.finish = resolve));
		this.ended = store
			.transact(
				async (tx) => {
					await tx.templates.count();
					this.hasBegun = true;
					await work(tx);
					await finished;
				},
				{ scope },
			)
			.then(() => void (this.hasEnded = true));
	}

	async end(): Promise<void> {
		this.finish();
		await this.ended;
	}
}

describeWithPostgres('transactions of two processes on one account', () => {
	let database: TestDatabase;
	let [one, other]: AccountStore[] = [];
	const stores: AccountStore[] = [];

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	async function open(sealContents: boolean): Promise<readonly [AccountStore, AccountStore]> {
		const config = { ...database.account(), sealContents };
		const dependencies = { clock: systemClock, random: systemRandom };
		const opened = [await openStore(config, dependencies), await openStore(config, dependencies)];
		stores.push(...opened);
		return [opened[0] as AccountStore, opened[1] as AccountStore];
	}

	beforeEach(async () => {
		[one, other] = await open(false);
	});

	afterEach(async () => {
		for (const store of stores.splice(0)) await store.close();
	});

	const first = (scope?: readonly string[], work?: (tx: WriteTransaction) => Promise<void>) =>
		new OpenTransaction(one as AccountStore, scope, work);
	const second = (scope?: readonly string[], work?: (tx: WriteTransaction) => Promise<void>) =>
		new OpenTransaction(other as AccountStore, scope, work);

	/** Number of sessions that wait for an advisory lock in this database. */
	async function waiting(): Promise<number> {
		const [row] = await database.query<{ total: string }>(
			`select count(*) as total from pg_locks
				where locktype = 'advisory' and not granted
					and database = (select oid from pg_database where datname = current_database())`,
		);
		return Number(row?.total);
	}

	const isWaiting = () => until(async () => (await waiting()) === 1);

	it('run at the same time when their scopes differ', async () => {
		const held = first(['a', 'b']);
		await until(() => held.hasBegun);
		await second(['c', 'd']).end();
		expect(held.hasEnded).toBe(false);
		await held.end();
	});

	it.each<[string, string[] | undefined, string[] | undefined]>([
		['share a name of their scopes', ['a', 'b'], ['b', 'c']],
		['have no scope', undefined, undefined],
		['are the second without a scope', ['a'], undefined],
		['are the first without a scope', undefined, ['a']],
	])('take turns when they %s', async (_name, scope, otherScope) => {
		const held = first(scope);
		await until(() => held.hasBegun);
		const late = second(otherScope);
		await isWaiting();
		expect(late.hasBegun).toBe(false);
		await held.end();
		await late.end();
	});

	it('never wait for each other in a circle, whatever the order of their names', async () => {
		const names = ['a', 'b', 'c', 'd'];
		const append = (store: AccountStore | undefined, scope: readonly string[]) =>
			store?.transact((tx) => tx.outbox.append(newEvent({ id: scope.join('') })), { scope });
		await Promise.all(
			Array.from({ length: 20 }, () => [
				append(one, names),
				append(other, names.toReversed()),
			]).flat(),
		);
		expect(await one?.read((tx) => tx.outbox.lastSequence())).toBe(40);
	});

	it('take turns from their first event to the commit', async () => {
		const append = (id: string) => (tx: WriteTransaction) => tx.outbox.append(newEvent({ id }));
		const held = first(['a'], append('one'));
		await until(() => held.hasBegun);
		// The first transaction has its number, so the second must not be seen before it.
		const late = second(['b'], append('two'));
		await isWaiting();
		const ending = late.end();
		expect(await one?.read((tx) => tx.outbox.readAfter(0, 10))).toEqual([]);
		await held.end();
		await ending;
		const events = await one?.read((tx) => tx.outbox.readAfter(0, 10));
		expect(events?.map(({ sequence, data }) => [sequence, data['id']])).toEqual([
			[1, 'one'],
			[2, 'two'],
		]);
	});

	it('leave no gap and hide no number, however many append at once', async () => {
		const each = 40;
		const appended = Promise.all(
			[one, other].map(async (store, process) => {
				for (let index = 0; index < each; index++) {
					const id = `${process}-${index}`;
					const scope = [id];
					await store?.transact((tx) => tx.outbox.append(newEvent({ id })), { scope });
				}
			}),
		);
		const seen: number[] = [];
		await until(async () => {
			const events = await one?.read((tx) => tx.outbox.readAfter(seen.at(-1) ?? 0, 100));
			seen.push(...(events ?? []).map(({ sequence }) => sequence));
			return seen.length >= 2 * each;
		});
		await appended;
		expect(seen).toEqual(Array.from({ length: 2 * each }, (_, index) => index + 1));
	});

	it('number an event that was rolled back to a savepoint anew, behind the other one', async () => {
		const undone = async (tx: WriteTransaction) => {
			await tx
				.attempt(async () => {
					await tx.outbox.append(newEvent({ id: 'undone' }));
					throw new Error('undone');
				})
				.catch(() => undefined);
		};
		const held = first(['a'], undone);
		await until(() => held.hasBegun);
		await second(['b'], (tx) => tx.outbox.append(newEvent({ id: 'two' }))).end();
		await held.end();
		await one?.transact((tx) => tx.outbox.append(newEvent({ id: 'three' })), { scope: ['a'] });
		expect(await one?.read((tx) => tx.outbox.lastSequence())).toBe(2);
	});

	it('take turns in spite of their scopes where contents are sealed', async () => {
		[one, other] = await open(true);
		const held = first(['a']);
		await until(() => held.hasBegun);
		const late = second(['b'], (tx) => tx.outbox.append(newEvent({ id: 'two' })));
		await isWaiting();
		expect(late.hasBegun).toBe(false);
		await held.end();
		await late.end();
	});

	it('keep what each has stored', async () => {
		const insert = (id: string) => async (tx: WriteTransaction) => {
			await tx.templates.insert(templateRecord(id), { secretKey: 'k' });
		};
		const held = first(['a'], insert('RLT1'));
		await until(() => held.hasBegun);
		await second(['b'], insert('RLT2')).end();
		expect(await one?.read((tx) => tx.templates.count())).toBe(1);
		await held.end();
		expect(await one?.read((tx) => tx.templates.count())).toBe(2);
	});
});
