import { sql, type RawBuilder } from '../kysely';
import type { NextSlot } from '../sql/compiled-statement-cache';
import type { SqlValue } from '../sql/executor';
import type { Condition, FieldCondition } from '../store';
import { isValues } from './collections';
import type { ColumnEncoder } from './column-values';
import { whereOf } from './conditions';

type Conditions = ReadonlyArray<Condition<string>>;

/** Rows of a list, or those with one of several values. */
export interface Places {
	readonly shape: string;
	/** parameters in the order in which `build` requests slots */
	readonly values: readonly SqlValue[];
	/** tables and tests, and where a row stands in the orders of insertion and of creation */
	readonly build: (slot: NextSlot) => {
		readonly from: RawBuilder<unknown>;
		readonly tests: ReadonlyArray<RawBuilder<boolean>>;
		readonly ordinal: RawBuilder<unknown>;
		readonly createdAt?: RawBuilder<unknown>;
	};
}

/** values of one condition that are read one by one */
const mostEach = 16;

/**
 * Divides a list into parts whose rows an index has in order: a field with several values is read
 * from its side table, and the values of a list of values one by one. How the other conditions are
 * tested is left to the database, which knows the declared indexes.
 *
 * @returns no parts if no row can fit
 * @throws `error.gateway.store.queryTooLarge`
 */
export function placesOf(encoder: ColumnEncoder, conditions: Conditions): Places[] {
	const side = foundBySide(encoder, conditions);
	if (side !== undefined) {
		const rest = conditions.filter((one) => one !== side);
		return oneByOne(side).flatMap((one) => sidePlaces(encoder, one, rest));
	}
	const several = conditions.filter(isShortList).find(({ field }) => encoder.of(field).isIndexed);
	if (several === undefined) return ownPlaces(encoder, conditions);
	const rest = conditions.filter((one) => one !== several);
	return oneByOne(several).flatMap((one) => ownPlaces(encoder, [one, ...rest]));
}

/** Condition on a field with several values by which a list is found in the side table. */
export function foundBySide(
	{ collection }: ColumnEncoder,
	conditions: Conditions,
): OneValue | ShortList | undefined {
	return conditions
		.filter((one): one is OneValue | ShortList => one.op === 'eq' || isShortList(one))
		.find(({ field }) => {
			const column = collection.columns[field];
			return column !== undefined && isValues(column);
		});
}

type OneValue = FieldCondition<string> & { readonly op: 'eq' };
type ShortList = FieldCondition<string> & { readonly op: 'in' };

function isShortList(one: Condition<string>): one is ShortList {
	return one.op === 'in' && one.value.length > 0 && one.value.length <= mostEach;
}

function oneByOne({ field, value }: OneValue | ShortList): OneValue[] {
	const values = new Set(typeof value === 'object' ? value : [value]);
	return [...values].map((one) => ({ field, op: 'eq', value: one }));
}

function ownPlaces(encoder: ColumnEncoder, conditions: Conditions): Places[] {
	const { table } = encoder.collection;
	const { isNever, shape, values, build } = whereOf(encoder, conditions);
	if (isNever) return [];
	return [
		{
			shape,
			values,
			build: (slot) => ({
				from: sql.table(table),
				tests: build(slot),
				ordinal: sql.ref(`${table}.ordinal`),
			}),
		},
	];
}

/** Rows found by a value in the side table, which has them in the order of creation. */
function sidePlaces(
	encoder: ColumnEncoder,
	one: FieldCondition<string>,
	conditions: Conditions,
): Places[] {
	const { table } = encoder.collection;
	const createdAt = sql.ref('s.created_at');
	const found = whereOf(encoder, [one]);
	const rest = whereOf(encoder, conditions, createdAt);
	if (found.isNever || rest.isNever) return [];
	return [
		{
			shape: `s ${found.shape} ${rest.shape}`,
			values: [...found.values, ...rest.values],
			build: (slot) => {
				// 'cross' keeps SQLite from reading the table first.
				const from = sql`${sql.table(`${table}_values`)} as s cross join ${sql.table(table)}`;
				const ordinal = sql.ref('s.ordinal');
				const value = sql<boolean>`s.field = ${sql.lit(one.field)} and s.value = ${slot()}`;
				const joined = sql<boolean>`${sql.ref(`${table}.ordinal`)} = ${ordinal}`;
				return { from, tests: [value, joined, ...rest.build(slot)], ordinal, createdAt };
			},
		},
	];
}
