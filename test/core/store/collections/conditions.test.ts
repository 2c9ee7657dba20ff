import { DatabaseSync } from 'node:sqlite';
import { systemRandom } from '../../../../core/base/random';
import { StoreKey } from '../../../../core/crypto/sealing';
import { ColumnEncoder } from '../../../../core/store/collections/column-values';
import { collections } from '../../../../core/store/collections/collections';
import {
	filterIn,
	searchIn,
	whereOf,
	type ConditionRole,
	type Where,
} from '../../../../core/store/collections/conditions';
import { sql } from '../../../../core/store/kysely';
import { Sealer } from '../../../../core/store/sql/sealer';
import { SqliteConnection } from '../../../../core/store/sqlite/sqlite-connection';
import { queryBuilder } from '../../../../core/store/sqlite/sqlite-dialect';
import type { Condition, FieldCondition } from '../../../../core/store/store';

type One = FieldCondition<string>;
type Conditions = ReadonlyArray<Condition<string>>;

const database = new DatabaseSync(':memory:');
const builder = queryBuilder(new SqliteConnection(database));
const sealer = new Sealer(new StoreKey(new Uint8Array(32)), systemRandom, false);
const encoder = new ColumnEncoder(collections.messages, sealer);

afterAll(() => database.close());

const where = (conditions: Conditions, role: ConditionRole = 'search'): Where =>
	whereOf(encoder, conditions, role);

/** The tests as one line of SQL. */
function textOf(conditions: Conditions, role: ConditionRole = 'search'): string {
	const found = where(conditions, role);
	let next = 0;
	const tests = found.build(() => sql.val(found.values[next++]));
	const { sql: text } = sql`${sql.join(tests, sql` and `)}`.compile(builder);
	return text.replace(/\s+/g, ' ').replaceAll('"', '').replaceAll('messages.', '');
}

const is = (field: string, op: 'eq' | 'ne', value: string | boolean | number = 'x'): One => ({
	field,
	op,
	value,
});
const among = (field: string, op: 'in' | 'notIn', ...value: Array<string | number>): One => ({
	field,
	op,
	value,
});
const present = (field: string, op: 'exists' | 'missing'): One => ({ field, op });
const than = (op: 'lt' | 'lte' | 'gt' | 'gte', value: string | number = 'x'): One => ({
	field: 'createdAt',
	op,
	value,
});
const part = (
	op: 'contains' | 'startsWith' | 'endsWith',
	value = 'x',
	field = 'createdBy',
): One => ({
	field,
	op,
	value,
});

const inSideTable = "from messages_values as v where v.field = 'recipient' and";

describe('a condition by which rows are found', () => {
	it.each<readonly [One, string]>([
		[is('createdBy', 'eq'), 'c_created_by in (?)'],
		[is('createdBy', 'ne'), '(c_created_by is null or c_created_by not in (?))'],
		[is('isOwn', 'eq', true), 'c_is_own in (?)'],
		[among('createdBy', 'in', 'a', 'b'), 'c_created_by in (?, ?)'],
		[among('createdBy', 'in'), '1 = 0'],
		[among('createdBy', 'notIn'), '1 = 1'],
		[present('createdBy', 'exists'), 'c_created_by is not null'],
		[present('createdBy', 'missing'), 'c_created_by is null'],
		[than('lt'), 'c_created_at < ?'],
		[than('lte'), 'c_created_at <= ?'],
		[than('gt'), 'c_created_at > ?'],
		[than('gte'), 'c_created_at >= ?'],
		[than('gt', 7), '1 = 0'],
		[part('contains'), "(c_created_by is not null and folded(c_created_by) like ? escape '\\')"],
		[
			is('subject', 'eq'),
			'(substr(c_subject, 1, 64) in (substr(cast(? as text), 1, 64)) and c_subject in (?))',
		],
		[is('subject', 'eq', 7), '1 = 0'],
		[is('subject', 'ne'), '(c_subject is null or c_subject not in (?))'],
		[is('recipient', 'eq'), `ordinal in (select v.ordinal ${inSideTable} v.value in (?))`],
		[is('recipient', 'ne'), `ordinal not in (select v.ordinal ${inSideTable} v.value in (?))`],
		[
			present('recipient', 'missing'),
			`ordinal not in (select v.ordinal ${inSideTable} v.value is not null)`,
		],
		[
			present('recipient', 'exists'),
			`ordinal in (select v.ordinal ${inSideTable} v.value is not null)`,
		],
	])('is one that an index can answer: %j', (condition, text) => {
		expect(textOf([condition])).toBe(text);
	});

	it('reads the side table once in PostgreSQL', () => {
		expect(textOf([is('recipient', 'eq')], 'search by array')).toBe(
			`ordinal = any(array(select v.ordinal ${inSideTable} v.value in (?)))`,
		);
		expect(textOf([is('recipient', 'ne')], 'search by array')).toBe(
			`ordinal not in (select v.ordinal ${inSideTable} v.value in (?))`,
		);
		expect(textOf([is('createdBy', 'eq')], 'search by array')).toBe('c_created_by in (?)');
		expect(textOf([is('subject', 'eq')], 'search by array')).toMatch(/^\(substr/);
	});
});

describe('a condition by which found rows are tested', () => {
	it.each<readonly [One, string]>([
		[is('createdBy', 'eq'), 'c_created_by in (?)'],
		[is('subject', 'eq'), 'c_subject in (?)'],
		[
			is('recipient', 'eq'),
			`exists (select 1 ${inSideTable} v.value in (?) and v.ordinal = ordinal)`,
		],
		[
			is('recipient', 'ne'),
			`not exists (select 1 ${inSideTable} v.value in (?) and v.ordinal = ordinal)`,
		],
	])('looks at the row alone: %j', (condition, text) => {
		expect(textOf([condition], 'filter')).toBe(text);
	});

	it('cannot tempt SQLite to use its index', () => {
		expect(textOf([is('createdBy', 'eq')], 'unindexed filter')).toBe('+c_created_by in (?)');
		expect(textOf([is('subject', 'eq')], 'unindexed filter')).toBe('+c_subject in (?)');
		expect(textOf([is('recipient', 'eq')], 'unindexed filter')).toMatch(/^exists \(select 1/);
	});
});

it('each database has its own way to find and to test', () => {
	const [sqlite, postgres] = [{ needsPlanHints: true }, { needsPlanHints: false }];
	expect([searchIn(sqlite), filterIn(sqlite)]).toEqual(['search', 'unindexed filter']);
	expect([searchIn(postgres), filterIn(postgres)]).toEqual(['search by array', 'filter']);
});

describe('several conditions', () => {
	const groups = (...parts: Conditions[]): Condition<string> => ({ op: 'anyOf', groups: parts });

	it('hold together, and groups are alternatives', () => {
		expect(textOf([than('gt'), groups([than('lt'), than('lte')], [than('gte')])])).toBe(
			'c_created_at > ? and (c_created_at < ? and c_created_at <= ? or c_created_at >= ?)',
		);
		expect(textOf([groups([])])).toBe('(1 = 1)');
		expect(textOf([groups()])).toBe('(1 = 0)');
	});

	it('have a shape of their own, whatever the values are', () => {
		const shapes = [
			[],
			[is('createdBy', 'eq')],
			[is('createdBy', 'ne')],
			[among('createdBy', 'in', 'a', 'b')],
			[is('isOwn', 'eq')],
			[is('createdBy', 'eq'), than('gt')],
			[groups([is('createdBy', 'eq')], [than('gt')])],
			[groups([is('createdBy', 'eq'), than('gt')])],
			[groups([is('createdBy', 'eq')]), than('gt')],
		].map((conditions) => where(conditions).shape);
		expect(new Set(shapes).size).toBe(shapes.length);
		expect(where([is('createdBy', 'eq', 'other')]).shape).toBe(shapes[1]);
		expect(where([]).shape).toBe('');
	});

	it('take their values in order', () => {
		const conditions = [
			is('isOwn', 'eq', true),
			groups([is('createdBy', 'eq', 'a')]),
			than('gt', 'b'),
		];
		expect(where(conditions).values).toEqual([1, 'a', 'b']);
		expect(where([part('contains', '50%_\\Ä')]).values).toEqual(['%50\\%\\_\\\\ä%']);
		expect(where([part('startsWith'), part('endsWith')]).values).toEqual(['x%', '%x']);
	});

	it.each<readonly [string, Conditions, boolean]>([
		['no condition', [], false],
		['one value', [is('createdBy', 'eq')], false],
		['no value', [among('createdBy', 'in')], true],
		['a value of another type', [is('createdBy', 'eq', 7)], true],
		['a range from a value of another type', [than('gt', 7)], true],
		['no value to be excluded', [among('createdBy', 'notIn')], false],
		['no value after another condition', [than('gt'), among('createdBy', 'in')], true],
		['no value before another condition', [among('createdBy', 'in'), than('gt')], true],
		['no group', [groups()], true],
		['groups that no row fits', [groups([among('createdBy', 'in')], [than('gt', 7)])], true],
		['groups that a row may fit', [groups([among('createdBy', 'in')], [than('gt')])], false],
		['a present value', [present('createdBy', 'exists')], false],
	])('say whether no row can fit: %s', (_name, conditions, isNever) => {
		expect(where(conditions).isNever).toBe(isNever);
	});

	it('of unknown fields are refused with a code', () => {
		for (const condition of [present('unknown', 'exists'), is('unknown', 'eq')]) {
			expect(() => where([condition])).toThrow(
				expect.objectContaining({ code: 'error.gateway.store.invalidList' }),
			);
		}
	});
});

describe('a query', () => {
	const many = (count: number): One[] => Array.from({ length: count }, () => than('gt'));
	const refusal = (found: number) =>
		expect.objectContaining({
			code: 'error.gateway.store.queryTooLarge',
			message: expect.stringMatching(new RegExp(`at most .*found ${found}\\.$`)) as string,
		}) as Error;

	it('has at most 100 conditions, those in groups and each list of groups included', () => {
		expect(where(many(100)).values).toHaveLength(100);
		expect(() => where(many(101))).toThrow(refusal(101));
		const groups = [{ op: 'anyOf' as const, groups: [many(50), many(49)] }];
		expect(where(groups).values).toHaveLength(99);
		expect(() => where([...groups, than('gt')])).toThrow(refusal(101));
	});

	it('has at most 10,000 values', () => {
		const values = (count: number): One =>
			among('createdBy', 'in', ...Array.from({ length: count }, () => 'x'));
		expect(where([values(10_000)]).values).toHaveLength(10_000);
		expect(() => where([values(10_000), than('gt')])).toThrow(refusal(10_001));
	});

	it('looks for at most 5,000 characters', () => {
		expect(where([part('contains', 'x'.repeat(5_000))]).values).toHaveLength(1);
		expect(() => where([part('contains', 'x'.repeat(5_001))])).toThrow(refusal(5_001));
	});
});
