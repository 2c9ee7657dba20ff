import { sql, type RawBuilder } from '../kysely';
import { columnName, isValues } from './collections';
import { columnOf, type ColumnEncoder } from './column-values';
import type { SqlValue } from '../sql/executor';
import type { NextSlot } from '../sql/compiled-statement-cache';
import type { ColumnValue, Condition, FieldCondition } from '../store';
import { storeErrors } from '../store-errors';

/**
 * Largest number of conditions: far more than a person needs, and fewer than would slow a database
 * down or make it refuse the query.
 */
const mostConditions = 100;
const mostValues = 10_000;
const longestText = 5_000;

/**
 * Conditions as SQL. `shape` describes everything except the values, so that queries of the same
 * shape share one compiled statement; `values` are the parameters in the order in which `build`
 * requests slots.
 *
 * Text is compared only with text, and numbers only with numbers: a value of another type equals
 * nothing, as peers and the HTTP interface expect (docs/protocol/transport.md 17.1).
 */
export interface Where {
	readonly shape: string;
	readonly values: readonly SqlValue[];
	readonly build: (slot: NextSlot) => Array<RawBuilder<boolean>>;
	/** true if no row can fit, so that the query need not run */
	readonly isNever: boolean;
}

type Conditions = ReadonlyArray<Condition<string>>;

/**
 * Compiles the conditions of a query.
 *
 * @param createdAt where the time of creation of a row stands, if not in its own column
 * @throws `error.gateway.store.queryTooLarge`
 */
export function whereOf(
	encoder: ColumnEncoder,
	conditions: Conditions,
	createdAt?: RawBuilder<unknown>,
): Where {
	const count = countOf(conditions);
	if (count > mostConditions) throw tooLarge(`at most ${mostConditions} conditions`, count);
	const values: SqlValue[] = [];
	const { shape, isNever } = read(encoder, conditions, values);
	if (values.length > mostValues) throw tooLarge(`at most ${mostValues} values`, values.length);
	return {
		shape,
		values,
		// Called once for each shape: most lists need only the name of the shape and the values.
		build: (slot) => buildAll({ encoder, slot, createdAt }, conditions),
		isNever,
	};
}

function countOf(conditions: Conditions): number {
	let count = 0;
	for (const condition of conditions) {
		count += condition.op === 'anyOf' ? countOf(condition.groups.flat()) + 1 : 1;
	}
	return count;
}

interface Read {
	readonly shape: string;
	readonly isNever: boolean;
}

/** Describes the conditions and appends their values to `values`. */
function read(encoder: ColumnEncoder, conditions: Conditions, values: SqlValue[]): Read {
	let shape = '';
	let isNever = false;
	for (const condition of conditions) {
		const one =
			condition.op === 'anyOf'
				? readGroups(encoder, condition.groups, values)
				: readOne(encoder, condition, values);
		shape += `${one.shape}&`;
		isNever ||= one.isNever;
	}
	return { shape, isNever };
}

function readGroups(
	encoder: ColumnEncoder,
	groups: readonly Conditions[],
	values: SqlValue[],
): Read {
	const each = groups.map((group) => read(encoder, group, values));
	return {
		shape: `(${each.map(({ shape }) => shape).join('|')})`,
		isNever: each.every(({ isNever }) => isNever),
	};
}

function readOne(
	encoder: ColumnEncoder,
	condition: FieldCondition<string>,
	values: SqlValue[],
): Read {
	const { test, values: own } = testOf(encoder, condition);
	// A loop instead of one call with all values, which could overflow the stack before the size
	// check.
	for (const value of own) values.push(value);
	return {
		shape: `${condition.field} ${test} ${own.length}`,
		isNever: test === 'never' || (test === 'in' && own.length === 0),
	};
}

const holds = sql<boolean>`1 = 1`;
const fails = sql<boolean>`1 = 0`;

interface Building {
	readonly encoder: ColumnEncoder;
	readonly slot: NextSlot;
	readonly createdAt: RawBuilder<unknown> | undefined;
}

function buildAll(building: Building, conditions: Conditions): Array<RawBuilder<boolean>> {
	return conditions.map((condition) =>
		condition.op === 'anyOf'
			? buildGroups(building, condition.groups)
			: buildOne(building, condition),
	);
}

function buildGroups(building: Building, groups: readonly Conditions[]): RawBuilder<boolean> {
	const each = groups.map((group) => joined(buildAll(building, group), sql` and `, holds));
	return sql<boolean>`(${joined(each, sql` or `, fails)})`;
}

/**
 * Joins tests without a constant: a constant among alternatives would keep the database from using
 * their indexes.
 */
function joined(
	tests: ReadonlyArray<RawBuilder<unknown>>,
	by: RawBuilder<unknown>,
	whenEmpty: RawBuilder<unknown>,
): RawBuilder<unknown> {
	return tests.length === 0 ? whenEmpty : sql.join(tests, by);
}

function buildOne(
	{ encoder, slot, createdAt }: Building,
	condition: FieldCondition<string>,
): RawBuilder<boolean> {
	const { collection } = encoder;
	const { table } = collection;
	const { field } = condition;
	const { test, values } = testOf(encoder, condition);
	const slots = values.map(() => slot());
	if (isValues(columnOf(collection, field))) return valuesTest(table, field, test, slots);
	const column = field === 'createdAt' ? createdAt : undefined;
	return compare(column ?? sql.ref(`${table}.${columnName(field)}`), test, slots);
}

type Test = 'in' | 'notIn' | 'lt' | 'lte' | 'gt' | 'gte' | 'like' | 'exists' | 'missing' | 'never';

function testOf(
	encoder: ColumnEncoder,
	condition: FieldCondition<string>,
): { readonly test: Test; readonly values: readonly SqlValue[] } {
	const { field } = condition;
	switch (condition.op) {
		case 'eq':
			return { test: 'in', values: ofKind(encoder, field, [condition.value]) };
		case 'ne':
			return { test: 'notIn', values: ofKind(encoder, field, [condition.value]) };
		case 'in':
		case 'notIn':
			return { test: condition.op, values: ofKind(encoder, field, condition.value) };
		case 'contains':
		case 'startsWith':
		case 'endsWith':
			return { test: 'like', values: [patternOf(encoder, condition)] };
		case 'exists':
		case 'missing':
			encoder.of(field);
			return { test: condition.op, values: [] };
		default: {
			const values = ofKind(encoder, field, [condition.value]);
			return { test: values.length === 0 ? 'never' : condition.op, values };
		}
	}
}

const types = { text: 'string', 'indexed text': 'string', integer: 'number', boolean: 'boolean' };

/**
 * Encodes the values that have the type of the field, because a value of another type equals
 * nothing.
 */
function ofKind(encoder: ColumnEncoder, field: string, values: readonly ColumnValue[]): SqlValue[] {
	const one = encoder.of(field);
	const type = types[one.kind];
	return values.filter((value) => typeof value === type).map((value) => one.encode(value));
}

/** @throws `error.gateway.store.queryTooLarge` */
export function requireShort(value: string): void {
	if (value.length <= longestText) return;
	throw tooLarge(`a text of at most ${longestText} characters`, value.length);
}

type Search = Extract<FieldCondition<string>, { op: 'contains' | 'startsWith' | 'endsWith' }>;

/** Builds the pattern that finds the value literally. */
function patternOf(encoder: ColumnEncoder, { field, op, value }: Search): string {
	requireShort(value);
	const part = encoder.of(field).encodePart(value).toLowerCase();
	const literal = part.replace(/[\\%_]/g, '\\$&');
	return `${op === 'startsWith' ? '' : '%'}${literal}${op === 'endsWith' ? '' : '%'}`;
}

const operators = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

function compare(
	column: RawBuilder<unknown>,
	test: Test,
	slots: readonly unknown[],
): RawBuilder<boolean> {
	switch (test) {
		case 'in':
			if (slots.length === 0) return fails;
			return sql<boolean>`${column} in (${sql.join(slots)})`;
		case 'notIn':
			if (slots.length === 0) return holds;
			return sql<boolean>`(${column} is null or ${column} not in (${sql.join(slots)}))`;
		case 'like':
			// The database uses an index of non-null values only for a condition that excludes null.
			return sql<boolean>`(${column} is not null and folded(${column}) like ${slots[0]} escape '\\')`;
		case 'exists':
			return sql<boolean>`${column} is not null`;
		case 'missing':
			return sql<boolean>`${column} is null`;
		case 'never':
			return fails;
		default:
			return sql<boolean>`${column} ${sql.raw(operators[test])} ${slots[0]}`;
	}
}

/**
 * Tests a field with several values. Negative tests require that no value fits, positive tests that
 * at least one does.
 */
function valuesTest(
	table: string,
	field: string,
	test: Test,
	slots: readonly unknown[],
): RawBuilder<boolean> {
	const isNegative = test === 'notIn' || test === 'missing';
	const positive = test === 'notIn' ? 'in' : test === 'missing' ? 'exists' : test;
	const fits = compare(sql.ref('v.value'), positive, slots);
	const side = sql.table(`${table}_values`);
	return sql<boolean>`${sql.raw(isNegative ? 'not exists' : 'exists')} (select 1 from ${side} as v
		where v.field = ${sql.lit(field)} and v.ordinal = ${sql.ref(`${table}.ordinal`)} and ${fits})`;
}

function tooLarge(expected: string, found: number): Error {
	const message = `Expected ${expected} in a query, found ${found}.`;
	return storeErrors.create('queryTooLarge', { message });
}
