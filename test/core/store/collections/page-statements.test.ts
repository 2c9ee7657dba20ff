import { systemRandom } from '../../../../core/base/random';
import { StoreKey } from '../../../../core/crypto/sealing';
import { ColumnEncoder } from '../../../../core/store/collections/column-values';
import { collections } from '../../../../core/store/collections/collections';
import { PageStatements } from '../../../../core/store/collections/lists/page-statements';
import type { Page } from '../../../../core/store/collections/lists/page-plans';
import type { SqlExecutor, SqlValue } from '../../../../core/store/sql/executor';
import { queryBuilder as postgresBuilder } from '../../../../core/store/postgres/postgres-dialect';
import { CompiledStatementCache } from '../../../../core/store/sql/compiled-statement-cache';
import { Sealer } from '../../../../core/store/sql/sealer';
import { queryBuilder as sqliteBuilder } from '../../../../core/store/sqlite/sqlite-dialect';
import type { FieldCondition } from '../../../../core/store/store';

type One = FieldCondition<string>;

const sealer = new Sealer(new StoreKey(new Uint8Array(32)), systemRandom, false);
const encoder = new ColumnEncoder(collections.messages, sealer);
const unused = {} as never;
const statements = {
	sqlite: new PageStatements(encoder, new CompiledStatementCache(sqliteBuilder(unused), true)),
	postgres: new PageStatements(encoder, new CompiledStatementCache(postgresBuilder(unused), false)),
};

interface Asked {
	readonly text: string;
	readonly values: readonly SqlValue[];
}

/**
 * Asks for a page, and returns the statement that reads it.
 *
 * @param sizes numbers of rows that the searches find; absent if there is no choice
 */
async function asked(
	kind: keyof typeof statements,
	conditions: readonly One[],
	page: Partial<Page> = {},
	...sizes: number[]
): Promise<Asked | undefined> {
	const all: Asked[] = [];
	const executor: SqlExecutor = {
		query: <Row>(sql: string, values: readonly SqlValue[]) => {
			all.push({ text: inOneLine(sql), values });
			const counts = Object.fromEntries(sizes.map((size, index) => [`c${index}`, size]));
			return Promise.resolve(all.length === 1 && sizes.length > 0 ? ([counts] as Row[]) : []);
		},
		change: () => Promise.reject(new TypeError('A page changes nothing')),
	};
	const whole: Page = { conditions, direction: 'desc', limit: 5, offset: 2, ...page };
	const rows = await statements[kind].read(executor, whole, ['id']);
	return rows === undefined ? undefined : all[sizes.length > 0 ? 1 : 0];
}

/** A statement as it is read by people; `#` stands for a place or a number of rows. */
const inOneLine = (sql: string): string =>
	sql
		.replace(/\s+/g, ' ')
		.replaceAll('"', '')
		.replaceAll('messages.', '')
		.replace(/\$\d+/g, '?')
		.replaceAll('cast(? as bigint)', '#');

/** The part of a statement that says which rows are read. */
const readBy = async (...parameters: Parameters<typeof asked>): Promise<string | undefined> =>
	(await asked(...parameters))?.text.replace(
		/^select id from messages where (.*) order by ordinal (asc|desc) limit # offset #$/,
		'$1',
	);

const own: One = { field: 'isOwn', op: 'eq', value: true };
const unread: One = { field: 'wasReadAt', op: 'missing' };
const since: One = { field: 'createdAt', op: 'gte', value: 'T' };
const types: One = { field: 'contentType', op: 'in', value: ['a', 'b', 'a'] };
const to: One = { field: 'recipient', op: 'eq', value: 'x' };

/** Places of rows, as each database is given them. */
const among = {
	sqlite: (places: string) => `ordinal in (${places})`,
	postgres: (places: string) => `ordinal = any(array(${places}))`,
};
const found = (places: string) => `select ordinal from (select ${places}) as found`;

describe.each(['sqlite', 'postgres'] as const)('in %s, a page', (kind) => {
	it.each<readonly [string, readonly One[], Partial<Page>, string]>([
		['of one value', [own], {}, 'where c_is_own in (?) order by ordinal desc limit #'],
		[
			'of the oldest rows',
			[own],
			{ direction: 'asc' },
			'where c_is_own in (?) order by ordinal asc limit #',
		],
		[
			'after a row',
			[own],
			{ after: 9 },
			'where c_is_own in (?) and ordinal < # order by ordinal desc limit #',
		],
		[
			'after a row from the oldest on',
			[own],
			{ after: 9, direction: 'asc' },
			'where c_is_own in (?) and ordinal > # order by ordinal asc limit #',
		],
	])('%s reads an index in its order', async (_name, conditions, page, text) => {
		const expected = among[kind](found(`ordinal as ordinal from messages ${text}`));
		expect(await readBy(kind, conditions, page)).toBe(expected);
	});

	it('of several values reads an index for each of them', async () => {
		const one = found(
			'ordinal as ordinal from messages where ' +
				'(substr(c_content_type, 1, 64) in (substr(cast(? as text), 1, 64)) and c_content_type in (?)) ' +
				'order by ordinal desc limit #',
		);
		expect(await readBy(kind, [types])).toBe(among[kind](`${one} union all ${one}`));
		expect((await asked(kind, [types]))?.values).toEqual(['a', 'a', 7, 'b', 'b', 7, 5, 2]);
	});

	it('of one of the values of a record reads the side table', async () => {
		const places =
			's.ordinal as ordinal from messages_values as s cross join messages ' +
			"where s.field = 'recipient' and s.value in (?) and ordinal = s.ordinal";
		expect(await readBy(kind, [to])).toBe(
			among[kind](found(`${places} order by s.ordinal desc limit #`)),
		);
		expect(await readBy(kind, [to], { after: 3 })).toBe(
			among[kind](found(`${places} and s.ordinal < # order by s.ordinal desc limit #`)),
		);
	});

	it('tests many rows one after the other, from its beginning on', async () => {
		const column = kind === 'sqlite' ? '+c_created_at' : 'c_created_at';
		const scan = await asked(kind, [since], {}, 2_000);
		expect(scan).toEqual({
			text:
				`select id from messages where ${column} >= ? and ordinal < # ` +
				'order by ordinal desc limit # offset #',
			values: ['T', Number.MAX_SAFE_INTEGER, 5, 2],
		});
		const [first, next] = [
			await asked(kind, [since], { direction: 'asc' }, 2_000, 7),
			await asked(kind, [since], { direction: 'asc', after: 4 }, 2_000, 7),
		];
		expect(first?.values).toEqual(['T', 0, 5, 2]);
		expect(next?.values).toEqual(['T', 4, 5, 2]);
		expect(next?.text).toContain(`${column} >= ? and ordinal > # order by ordinal asc`);
	});

	it('that too many values ask for is not read this way', async () => {
		const many = (length: number): One => ({
			field: 'createdBy',
			op: 'notIn',
			value: Array.from({ length }, (_, index) => `${index}`),
		});
		expect(await asked(kind, [own, many(1_998)])).toBeDefined();
		expect(await asked(kind, [own, many(1_999)])).toBeUndefined();
		expect(await asked(kind, [many(1)])).toBeUndefined();
	});

	it('that no row fits is not asked for', async () => {
		expect(await asked(kind, [own, { ...types, value: [] } as One])).toBeUndefined();
	});
});

describe('few rows that are sorted', () => {
	it('are found by their index alone, and never by the order', async () => {
		expect(await readBy('sqlite', [own, since], {}, 2_000, 3)).toBe(
			among.sqlite(
				found(
					'ordinal as ordinal from messages where c_is_own in (?) and c_created_at >= ? ' +
						'order by +ordinal desc limit #',
				),
			),
		);
		expect(await readBy('postgres', [own, since], {}, 2_000, 3)).toBe(
			among.postgres(
				found(
					'ordinal as ordinal from (select * from messages where c_is_own in (?) ' +
						'and c_created_at >= ? offset 0) as messages order by +ordinal desc limit #',
				),
			),
		);
	});

	it('are then tested by the other conditions', async () => {
		const groups = { op: 'anyOf', groups: [[own]] } as const;
		const conditions = [own, types, groups] as never;
		const search =
			'(substr(c_content_type, 1, 64) in (substr(cast(? as text), 1, 64), ' +
			'substr(cast(? as text), 1, 64), substr(cast(? as text), 1, 64)) and c_content_type in (?, ?, ?))';
		expect(await readBy('sqlite', conditions, {}, 2_000, 5)).toBe(
			among.sqlite(
				found(
					`ordinal as ordinal from messages where ${search} and +c_is_own in (?) ` +
						'and (+c_is_own in (?)) order by +ordinal desc limit #',
				),
			),
		);
		expect(await readBy('postgres', conditions, {}, 2_000, 5)).toBe(
			among.postgres(
				found(
					`ordinal as ordinal from (select * from messages where ${search} offset 0) as messages ` +
						'where c_is_own in (?) and (c_is_own in (?)) order by +ordinal desc limit #',
				),
			),
		);
	});

	it('of a side table are found there first', async () => {
		expect(await readBy('sqlite', [own, to], {}, 3, 9)).toBe(
			among.sqlite(
				found(
					'ordinal as ordinal from messages where c_is_own in (?) and exists (select 1 from ' +
						"messages_values as v where v.field = 'recipient' and v.value in (?) and v.ordinal = ordinal) " +
						'order by +ordinal desc limit #',
				),
			),
		);
		expect(await readBy('sqlite', [own, to], {}, 9, 3)).toBe(
			among.sqlite(
				found(
					's.ordinal as ordinal from messages_values as s cross join messages where ' +
						"s.field = 'recipient' and s.value in (?) and ordinal = s.ordinal and +c_is_own in (?) " +
						'order by +s.ordinal desc limit #',
				),
			),
		);
		expect(await readBy('postgres', [own, to], {}, 9, 3)).toBe(
			among.postgres(
				found(
					's.ordinal as ordinal from (select s.ordinal from messages_values as s where ' +
						"s.field = 'recipient' and s.value in (?) offset 0) as s cross join messages where " +
						'ordinal = s.ordinal and c_is_own in (?) order by +s.ordinal desc limit #',
				),
			),
		);
	});
});

it('PostgreSQL is told that rows without a value are in order', async () => {
	expect(await readBy('postgres', [own, unread])).toBe(
		among.postgres(
			found(
				'ordinal as ordinal from messages where c_is_own in (?) and c_was_read_at is null ' +
					'order by c_was_read_at desc, ordinal desc limit #',
			),
		),
	);
	expect(await readBy('sqlite', [own, unread])).toBe(
		among.sqlite(
			found(
				'ordinal as ordinal from messages where c_is_own in (?) and c_was_read_at is null ' +
					'order by ordinal desc limit #',
			),
		),
	);
});
