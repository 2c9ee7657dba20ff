import { DatabaseSync } from 'node:sqlite';
import { systemRandom } from '../../../../core/base/random';
import { StoreKey } from '../../../../core/crypto/sealing';
import { ColumnEncoder } from '../../../../core/store/collections/column-values';
import { collections } from '../../../../core/store/collections/collections';
import { candidatesOf } from '../../../../core/store/collections/lists/list-candidates';
import { PagePlans, type Page } from '../../../../core/store/collections/lists/page-plans';
import { CompiledStatementCache } from '../../../../core/store/sql/compiled-statement-cache';
import { Sealer } from '../../../../core/store/sql/sealer';
import { SqliteConnection } from '../../../../core/store/sqlite/sqlite-connection';
import { queryBuilder } from '../../../../core/store/sqlite/sqlite-dialect';
import type { FieldCondition, Store } from '../../../../core/store/store';
import { messageRecord, messageSecrets, ownAddress } from '../../../support/records';
import { openMemoryStore } from '../../../support/store';

type One = FieldCondition<string>;
type Direction = 'asc' | 'desc';

/** Number of messages, of which more than two thousand have to be on both sides of a range. */
const count = 2_100;

const timeOf = (number: number): string =>
	new Date(Date.UTC(2030, 0, 1) + number * 60_000).toISOString();

const is = (field: string, value: string | boolean): One => ({ field, op: 'eq', value });
const created = (op: 'lt' | 'lte' | 'gt' | 'gte', number: number): One => ({
	field: 'createdAt',
	op,
	value: timeOf(number),
});

const own = is('isOwn', true);
const mail = is('contentType', 'Mail');
const rare = is('contentType', 'Rare');
const unknown = is('contentType', 'Unknown');
const toFew = is('recipient', 'did:e:peer7');
const toAll = is('recipient', ownAddress);

describe('the way to read a page', () => {
	let store: Store;
	let plans: PagePlans;
	let connection: SqliteConnection;
	let reads: number;

	beforeAll(async () => {
		const database = new DatabaseSync(':memory:');
		store = await openMemoryStore(undefined, database, false);
		await store.transact(async (tx) => {
			for (let number = 0; number < count; number++) {
				const record = messageRecord(`MSG${number}`, {
					isOwn: true,
					createdAt: timeOf(number),
					content: { '@type': number < 5 ? 'Rare' : 'Mail' },
					recipients: [{ address: ownAddress }, { address: `did:e:peer${number % 700}` }],
				});
				await tx.messages.insert(record, messageSecrets);
			}
		});
		connection = new SqliteConnection(database);
		const sealer = new Sealer(new StoreKey(new Uint8Array(32)), systemRandom, false);
		const encoder = new ColumnEncoder(collections.messages, sealer);
		plans = new PagePlans(encoder, new CompiledStatementCache(queryBuilder(connection), true));
	});

	afterAll(() => store.close());

	async function chosen(
		conditions: readonly One[],
		page: Partial<Page> = {},
	): Promise<readonly unknown[]> {
		reads = 0;
		const executor = {
			query: <Row>(...parameters: Parameters<SqliteConnection['query']>) => {
				reads++;
				return connection.query<Row>(...parameters);
			},
			change: () => Promise.reject(new TypeError('A choice changes nothing')),
		};
		const candidates = candidatesOf(collections.messages, conditions);
		const whole: Page = { conditions, direction: 'desc', limit: 50, offset: 0, ...page };
		const plan = await plans.choose(executor, candidates, whole);
		return plan.kind === 'scan' ? [plan.kind] : [plan.kind, ...plan.by.conditions];
	}

	it('is the only index that has an order, without a look at it', async () => {
		expect(await chosen([own])).toEqual(['in order', own]);
		expect(await chosen([toFew])).toEqual(['in order', toFew]);
		expect(reads).toBe(0);
	});

	it.each<readonly [string, readonly One[], One]>([
		['one value', [own, rare], rare],
		['a value that no record has', [own, unknown], unknown],
		['one of several values of a record', [own, toFew], toFew],
		['one value beside one of several', [toAll, rare], rare],
	])('finds and sorts few rows of %s', async (_name, conditions, by) => {
		for (const asked of [conditions, conditions.toReversed()]) {
			expect(await chosen(asked)).toEqual(['sorted', by]);
		}
		expect(reads).toBe(1);
	});

	it('is an index with an order if each finds many rows', async () => {
		expect(await chosen([own, mail])).toEqual(['in order', own]);
		expect(await chosen([own, created('gte', 10)])).toEqual(['in order', own]);
		expect(await chosen([toAll, created('gte', 10)])).toEqual(['in order', toAll]);
	});

	it('sorts up to a thousand rows', async () => {
		const [thousand, more] = [created('gte', count - 1_000), created('gte', count - 1_001)];
		expect(await chosen([thousand])).toEqual(['sorted', thousand]);
		expect(await chosen([more])).toEqual(['scan']);
	});

	it.each([
		{ limit: 400, offset: 0 },
		{ limit: 200, offset: 200 },
		{ limit: 1, offset: 399 },
	])('sorts up to four times as many rows as are passed (%j)', async (page) => {
		const [few, more] = [created('gte', count - 1_600), created('gte', count - 1_601)];
		expect(await chosen([few], page)).toEqual(['sorted', few]);
		expect(await chosen([more], page)).toEqual(['scan']);
	});

	const half = count / 2;
	it.each<readonly [Direction, One]>([
		['desc', created('gte', half)],
		['desc', created('gt', half - 1)],
		['asc', created('lt', half)],
		['asc', created('lte', half - 1)],
	])('scans %s to many rows that come first (%j)', async (direction, range) => {
		expect(await chosen([range], { direction })).toEqual(['scan']);
	});

	it.each<readonly [Direction, One]>([
		['asc', created('gte', half)],
		['asc', created('gt', half - 1)],
		['desc', created('lt', half)],
		['desc', created('lte', half - 1)],
	])('sorts %s rows behind many others (%j)', async (direction, range) => {
		expect(await chosen([range], { direction })).toEqual(['sorted', range]);
	});

	it('scans past up to a thousand rows', async () => {
		expect(await chosen([created('gte', 1_000)], { direction: 'asc' })).toEqual(['scan']);
		const behind = created('gte', 1_001);
		expect(await chosen([behind], { direction: 'asc' })).toEqual(['sorted', behind]);
		expect(await chosen([created('lt', count - 1_000)])).toEqual(['scan']);
		const before = created('lte', count - 1_002);
		expect(await chosen([before])).toEqual(['sorted', before]);
	});
});

describe('the way to read a page by two ranges', () => {
	const compiled = new CompiledStatementCache(queryBuilder({} as never), true);
	const sealer = new Sealer(new StoreKey(new Uint8Array(32)), systemRandom, false);
	const plans = new PagePlans(new ColumnEncoder(collections.messages, sealer), compiled);
	const range = (field: string, op: 'lt' | 'gt'): One => ({ field, op, value: timeOf(1) });

	/** @param sizes numbers of rows of the ranges, and of the rows behind those at the other end */
	async function chosen(ranges: readonly One[], ...sizes: number[]): Promise<string> {
		const counts = Object.fromEntries(sizes.map((size, index) => [`c${index}`, `${size}`]));
		const executor = {
			query: <Row>() => Promise.resolve([counts] as Row[]),
			change: () => Promise.reject(new TypeError('A choice changes nothing')),
		};
		const candidates = ranges.map((one) => ({
			conditions: [one],
			isOrdered: false,
			isSideTable: false,
		}));
		const page: Page = { conditions: ranges, direction: 'desc', limit: 50, offset: 0 };
		const plan = await plans.choose(executor, candidates, page);
		return plan.kind === 'scan' ? plan.kind : `${plan.kind} ${plan.by.conditions[0]?.field}`;
	}

	const [created, read] = [range('createdAt', 'lt'), range('wasReadAt', 'lt')];

	it('is a scan if one of them has few rows before it', async () => {
		expect(await chosen([created, read], 2_000, 3_000, 5, 4_000)).toBe('scan');
		expect(await chosen([created, read], 2_000, 3_000, 4_000, 5)).toBe('scan');
		expect(await chosen([created, read], 2_000, 3_000, 4_000, 5_000)).toBe('sorted createdAt');
		expect(await chosen([created, read], 3_000, 2_000, 4_000, 5_000)).toBe('sorted wasReadAt');
	});

	it('is a scan if one of them is at the end where the page begins', async () => {
		const near = range('wasReadAt', 'gt');
		expect(await chosen([created, near], 2_000, 3_000, 4_000)).toBe('scan');
		expect(await chosen([near, created], 2_000, 3_000, 4_000)).toBe('scan');
	});

	it('sorts what few rows fit', async () => {
		expect(await chosen([created, read], 2_000, 1_000, 5, 5)).toBe('sorted wasReadAt');
		expect(await chosen([created, read], 7, 1_000, 5, 5)).toBe('sorted createdAt');
	});
});
