import { sql, type RawBuilder } from 'kysely';
import { columnName, isValues, type AnyCollection, type AnyColumn } from './collections';
import { kindOf, toSql, type ColumnKind } from './column-values';
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

/** @throws `error.gateway.store.queryTooLarge` */
export function whereOf(
	collection: AnyCollection,
	conditions: ReadonlyArray<Condition<string>> = [],
): Where {
	const count = countOf(conditions);
	if (count > mostConditions) throw tooLarge(`at most ${mostConditions} conditions`, count);
	const where = allOf(collection, conditions);
	const { length } = where.values;
	if (length > mostValues) throw tooLarge(`at most ${mostValues} values`, length);
	return where;
}

function countOf(conditions: ReadonlyArray<Condition<string>>): number {
	return conditions.reduce(
		(sum, condition) => sum + (condition.op === 'anyOf' ? countOf(condition.groups.flat()) + 1 : 1),
		0,
	);
}

function allOf(collection: AnyCollection, conditions: ReadonlyArray<Condition<string>>): Where {
	const parts = conditions.map((condition) =>
		condition.op === 'anyOf'
			? anyOf(condition.groups.map((group) => allOf(collection, group)))
			: partOf(collection, condition),
	);
	return {
		shape: parts.map((part) => part.shape).join('&'),
		values: parts.flatMap((part) => part.values),
		build: (slot) => parts.map((part) => part.build(slot)),
		isNever: parts.some((part) => part.isNever),
	};
}

const holds = sql<boolean>`1 = 1`;
const fails = sql<boolean>`1 = 0`;

function anyOf(groups: readonly Where[]): Part {
	return {
		shape: `(${groups.map((group) => group.shape).join('|')})`,
		values: groups.flatMap((group) => group.values),
		build: (slot) => {
			const each = groups.map((group) => joined(group.build(slot), sql` and `, holds));
			return sql<boolean>`(${joined(each, sql` or `, fails)})`;
		},
		isNever: groups.every((group) => group.isNever),
	};
}

/** A constant among alternatives would keep the database from using their indexes. */
function joined(
	tests: ReadonlyArray<RawBuilder<unknown>>,
	by: RawBuilder<unknown>,
	whenEmpty: RawBuilder<unknown>,
): RawBuilder<unknown> {
	return tests.length === 0 ? whenEmpty : sql.join(tests, by);
}

interface Part {
	readonly shape: string;
	readonly values: readonly SqlValue[];
	readonly build: (slot: NextSlot) => RawBuilder<boolean>;
	readonly isNever: boolean;
}

function partOf(collection: AnyCollection, condition: FieldCondition<string>): Part {
	const column = columnOf(collection, condition.field);
	const { test, values } = testOf(condition, kindOf(collection.table, condition.field, column));
	return {
		shape: `${condition.field} ${test} ${values.length}`,
		values,
		build: (slot) => {
			const slots = values.map(() => slot());
			if (!isValues(column)) {
				return compare(sql.ref(`${collection.table}.${columnName(condition.field)}`), test, slots);
			}
			return valuesTest(collection.table, condition.field, test, slots);
		},
		isNever: test === 'never' || (test === 'in' && values.length === 0),
	};
}

/** @throws TypeError for a field that the collection does not declare */
export function columnOf(collection: AnyCollection, field: string): AnyColumn {
	const column = Object.hasOwn(collection.columns, field) ? collection.columns[field] : undefined;
	if (column !== undefined) return column;
	throw new TypeError(`The collection '${collection.table}' has no field '${field}'`);
}

type Test = 'in' | 'notIn' | 'lt' | 'lte' | 'gt' | 'gte' | 'like' | 'exists' | 'missing' | 'never';

function testOf(
	condition: FieldCondition<string>,
	kind: ColumnKind,
): { readonly test: Test; readonly values: readonly SqlValue[] } {
	switch (condition.op) {
		case 'eq':
			return { test: 'in', values: ofKind(kind, [condition.value]) };
		case 'ne':
			return { test: 'notIn', values: ofKind(kind, [condition.value]) };
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
			const values = ofKind(kind, [condition.value]);
			return { test: values.length === 0 ? 'never' : condition.op, values };
		}
	}
}

const types = { text: 'string', 'indexed text': 'string', integer: 'number', boolean: 'boolean' };

function ofKind(kind: ColumnKind, values: readonly ColumnValue[]): SqlValue[] {
	return values.filter((value) => typeof value === types[kind]).map((value) => toSql(value, kind));
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
