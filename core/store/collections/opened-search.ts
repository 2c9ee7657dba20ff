import type { AnyCollection } from './collection-declaration';
import { isValues } from './collections';
import { columnOf, type ColumnEncoder } from './column-values';
import { requireShort } from './conditions';
import type { ColumnValue, Condition, FieldCondition } from '../store';
import { comparedText } from './stored-text';
import { isKeyOf } from '../../base/members';

/**
 * Search in sealed columns. Keyed hashes show only whether texts are equal. A search for a part of
 * a text, or for texts before or after a text, therefore decrypts the rows that the other
 * conditions of the query select.
 */
export interface OpenedSearch {
	/** conditions that the database can test, which also select rows that do not fit */
	readonly where: ReadonlyArray<Condition<string>>;
	readonly fits: (record: object) => boolean;
}

/**
 * Splits the conditions of a query; undefined where the columns can answer all of them.
 *
 * @throws `error.gateway.store.queryTooLarge`
 */
export function openedSearch(
	encoder: ColumnEncoder,
	conditions: ReadonlyArray<Condition<string>> = [],
): OpenedSearch | undefined {
	const opened = conditions.filter((condition) => needsOpening(encoder, condition));
	if (opened.length === 0) return undefined;
	return {
		where: conditions.map((condition) => widened(encoder, condition)),
		fits: (record) => opened.every((condition) => holds(encoder.collection, condition, record)),
	};
}

function needsOpening(encoder: ColumnEncoder, condition: Condition<string>): boolean {
	switch (condition.op) {
		case 'anyOf':
			return condition.groups.flat().some((one) => needsOpening(encoder, one));
		case 'eq':
		case 'ne':
		case 'in':
		case 'notIn':
		case 'exists':
		case 'missing':
			return false;
		default:
			return encoder.of(condition.field).isHashed;
	}
}

/** Widens a condition that needs decryption: only rows that have the column can fit. */
function widened(encoder: ColumnEncoder, condition: Condition<string>): Condition<string> {
	if (!needsOpening(encoder, condition)) return condition;
	if (condition.op === 'anyOf') {
		const groups = condition.groups.map((group) => group.map((one) => widened(encoder, one)));
		return { op: 'anyOf', groups };
	}
	if ('value' in condition && typeof condition.value === 'string') requireShort(condition.value);
	return { field: condition.field, op: 'exists' };
}

/** Tests a condition like the database does with unencrypted columns (`conditions`). */
function holds(collection: AnyCollection, condition: Condition<string>, record: object): boolean {
	if (condition.op === 'anyOf') {
		return condition.groups.some((group) => group.every((one) => holds(collection, one, record)));
	}
	const values = valuesOf(collection, condition.field, record);
	switch (condition.op) {
		case 'exists':
			return values.length > 0;
		case 'missing':
			return values.length === 0;
		case 'ne':
			return !values.includes(compared(condition.value));
		case 'notIn':
			return !condition.value.some((value) => values.includes(compared(value)));
		case 'in':
			return condition.value.some((value) => values.includes(compared(value)));
		default:
			return values.some((value) => fits(value, condition));
	}
}

function valuesOf(collection: AnyCollection, field: string, record: object): ColumnValue[] {
	const column = columnOf(collection, field);
	const values = isValues(column) ? column.values(record) : [column.from(record)];
	return values.filter((value) => value !== undefined).map(compared);
}

function compared(value: ColumnValue): ColumnValue {
	return typeof value === 'string' ? comparedText(value) : value;
}

type OneValue = Exclude<
	FieldCondition<string>,
	{ op: 'ne' | 'in' | 'notIn' | 'exists' | 'missing' }
>;

/** Compares two values; a value of another type equals nothing and has no order. */
function fits(value: ColumnValue, { op, value: given }: OneValue): boolean {
	const asked = compared(given);
	if (typeof value !== typeof asked) return false;
	if (isKeyOf(searches, op)) {
		return searches[op](String(value).toLowerCase(), String(asked).toLowerCase());
	}
	return isKeyOf(orders, op) && orders[op](order(value, asked));
}

const searches = {
	contains: (text: string, part: string) => text.includes(part),
	startsWith: (text: string, part: string) => text.startsWith(part),
	endsWith: (text: string, part: string) => text.endsWith(part),
};

const orders = {
	eq: (order: number) => order === 0,
	lt: (order: number) => order < 0,
	lte: (order: number) => order <= 0,
	gt: (order: number) => order > 0,
	gte: (order: number) => order >= 0,
};

/** Orders texts byte by byte, like the databases. */
function order(first: ColumnValue, second: ColumnValue): number {
	if (typeof first === 'string' && typeof second === 'string') {
		return Buffer.compare(Buffer.from(first), Buffer.from(second));
	}
	return Number(first) - Number(second);
}
