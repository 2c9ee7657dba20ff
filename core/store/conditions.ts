import { sql, type RawBuilder } from 'kysely';
import { columnName, isValues, type AnyCollection } from './collections';
import { columnOf, kindOf, toSql, type ColumnKind } from './column-values';
import type { SqlValue } from './executor';
import type { NextSlot } from './statement-book';
import type { ColumnValue, Condition, FieldCondition } from './store';
import { storeErrors } from './store-errors';
import { comparedText } from './stored-text';

/** Far above what a person asks for, below what makes a database refuse or grind. */
const mostConditions = 100;
const mostValues = 10_000;
const longestText = 5_000;

/**
 * Conditions as SQL: `shape` names everything but the values, so that equal shapes share one compiled
 * statement; `values` are the parameters in the order in which `build` asks for slots.
 *
 * Text is compared with text and numbers with numbers only: a value of another type equals nothing,
 * as peers and the HTTP interface expect (docs/protocol/transport.md 17.1).
 */
export interface Where {
	readonly shape: string;
	readonly values: readonly SqlValue[];
	readonly build: (slot: NextSlot) => Array<RawBuilder<boolean>>;
	/** whatever is stored: no need to ask */
	readonly isNever: boolean;
}

type Conditions = ReadonlyArray<Condition<string>>;

/** @throws `error.gateway.store.queryTooLarge` */
export function whereOf(collection: AnyCollection, conditions: Conditions = []): Where {
	const count = countOf(conditions);
	if (count > mostConditions) throw tooLarge(`at most ${mostConditions} conditions`, count);
	const values: SqlValue[] = [];
	const { shape, isNever } = read(collection, conditions, values);
	if (values.length > mostValues) throw tooLarge(`at most ${mostValues} values`, values.length);
	return {
		shape,
		values,
		// Once for each shape: most lists only need its name and the values.
		build: (slot) => buildAll(collection, conditions, slot),
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

/** Adds what the conditions compare with to `values`. */
function read(collection: AnyCollection, conditions: Conditions, values: SqlValue[]): Read {
	let shape = '';
	let isNever = false;
	for (const condition of conditions) {
		const one =
			condition.op === 'anyOf'
				? readGroups(collection, condition.groups, values)
				: readOne(collection, condition, values);
		shape += `${one.shape}&`;
		isNever ||= one.isNever;
	}
	return { shape, isNever };
}

function readGroups(
	collection: AnyCollection,
	groups: readonly Conditions[],
	values: SqlValue[],
): Read {
	const each = groups.map((group) => read(collection, group, values));
	return {
		shape: `(${each.map(({ shape }) => shape).join('|')})`,
		isNever: each.every(({ isNever }) => isNever),
	};
}

function readOne(
	collection: AnyCollection,
	condition: FieldCondition<string>,
	values: SqlValue[],
): Read {
	const { test, values: own } = testOf(collection, condition);
	// Not all at once: too many are refused by name, not by the stack.
	for (const value of own) values.push(value);
	return {
		shape: `${condition.field} ${test} ${own.length}`,
		isNever: test === 'never' || (test === 'in' && own.length === 0),
	};
}

const holds = sql<boolean>`1 = 1`;
const fails = sql<boolean>`1 = 0`;

function buildAll(
	collection: AnyCollection,
	conditions: Conditions,
	slot: NextSlot,
): Array<RawBuilder<boolean>> {
	return conditions.map((condition) =>
		condition.op === 'anyOf'
			? buildGroups(collection, condition.groups, slot)
			: buildOne(collection, condition, slot),
	);
}

function buildGroups(
	collection: AnyCollection,
	groups: readonly Conditions[],
	slot: NextSlot,
): RawBuilder<boolean> {
	const each = groups.map((group) => joined(buildAll(collection, group, slot), sql` and `, holds));
	return sql<boolean>`(${joined(each, sql` or `, fails)})`;
}

/** A constant among alternatives would keep the database from using their indexes. */
function joined(
	tests: ReadonlyArray<RawBuilder<unknown>>,
	by: RawBuilder<unknown>,
	whenEmpty: RawBuilder<unknown>,
): RawBuilder<unknown> {
	return tests.length === 0 ? whenEmpty : sql.join(tests, by);
}

function buildOne(
	collection: AnyCollection,
	condition: FieldCondition<string>,
	slot: NextSlot,
): RawBuilder<boolean> {
	const { table } = collection;
	const { field } = condition;
	const { test, values } = testOf(collection, condition);
	const slots = values.map(() => slot());
	if (isValues(columnOf(collection, field))) return valuesTest(table, field, test, slots);
	return compare(sql.ref(`${table}.${columnName(field)}`), test, slots);
}

type Test = 'in' | 'notIn' | 'lt' | 'lte' | 'gt' | 'gte' | 'like' | 'exists' | 'missing' | 'never';

function testOf(
	collection: AnyCollection,
	condition: FieldCondition<string>,
): { readonly test: Test; readonly values: readonly SqlValue[] } {
	const kind = kindOf(collection, condition.field);
	switch (condition.op) {
		case 'eq':
			return { test: 'in', values: oneOfKind(kind, condition.value) };
		case 'ne':
			return { test: 'notIn', values: oneOfKind(kind, condition.value) };
		case 'in':
		case 'notIn':
			return { test: condition.op, values: ofKind(kind, condition.value) };
		case 'contains':
			return like('%', condition.value, '%');
		case 'startsWith':
			return like('', condition.value, '%');
		case 'endsWith':
			return like('%', condition.value, '');
		case 'exists':
		case 'missing':
			return { test: condition.op, values: [] };
		default: {
			const values = oneOfKind(kind, condition.value);
			return { test: values.length === 0 ? 'never' : condition.op, values };
		}
	}
}

const types = { text: 'string', 'indexed text': 'string', integer: 'number', boolean: 'boolean' };

function ofKind(kind: ColumnKind, values: readonly ColumnValue[]): SqlValue[] {
	return values.flatMap((value) => oneOfKind(kind, value));
}

function oneOfKind(kind: ColumnKind, value: ColumnValue): SqlValue[] {
	return typeof value === types[kind] ? [toSql(value, kind)] : [];
}

/** The value is text to be found, not a pattern. */
function like(before: string, value: string, after: string): { test: Test; values: SqlValue[] } {
	if (value.length > longestText) {
		throw tooLarge(`a text of at most ${longestText} characters`, value.length);
	}
	const literal = comparedText(value)
		.toLowerCase()
		.replace(/[\\%_]/g, '\\$&');
	return { test: 'like', values: [`${before}${literal}${after}`] };
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
			// An index of the rows that have the column serves only who says so.
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

/** Several values: the negative tests say that none of them fits, the others that one does. */
function valuesTest(
	table: string,
	field: string,
	test: Test,
	slots: readonly unknown[],
): RawBuilder<boolean> {
	const isNegative = test === 'notIn' || test === 'missing';
	const positive = test === 'notIn' ? 'in' : test === 'missing' ? 'exists' : test;
	const fits = compare(sql.ref('v.value'), positive, slots);
	const fitting = sql`select v.ordinal from ${sql.table(`${table}_values`)} as v where v.field = ${sql.lit(field)} and ${fits}`;
	return sql<boolean>`${sql.ref(`${table}.ordinal`)} ${sql.raw(isNegative ? 'not in' : 'in')} (${fitting})`;
}

function tooLarge(expected: string, found: number): Error {
	const message = `Expected ${expected} in a query, found ${found}.`;
	return storeErrors.create('queryTooLarge', { message });
}
