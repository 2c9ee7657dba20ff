import { isValues, type AnyCollection } from './collections';
import { indexesOf } from './indexes';
import type { Condition, FieldCondition } from './store';

/**
 * How the rows of a list are come by, in the order of insertion and no more of them than are wanted:
 *
 * - `ordered`: one value for each column of an index, or a side table, gives the rows in their order.
 * - `placed`: an index finds the places of the rows, which are then read in their order. Otherwise
 *   whole documents would be sorted, or all of them read.
 * - `walked`: nothing to look up, or something that most rows have: by the primary key, one after the
 *   other, until there are enough.
 *
 * For SQLite, which counts no rows; PostgreSQL does and chooses better by itself.
 */
export type Way = 'ordered' | 'placed' | 'walked';

export function wayOf(
	{ table, columns }: AnyCollection,
	conditions: ReadonlyArray<Condition<string>> = [],
): Way {
	const asked = conditions.filter((condition) => condition.op !== 'anyOf');
	const { full, sparse } = indexesOf(table);
	const isEqual = (field: string): boolean =>
		asked.some((one) => one.field === field && hasOneValue(one));
	const isGiven = (field: string): boolean =>
		isEqual(field) || asked.some((one) => one.field === field && one.op === 'missing');
	/** in an index that has one place for all of what is asked */
	const fixed = new Set([
		...full.filter((fields) => fields.every(isGiven)).flat(),
		...sparse.filter(isEqual),
	]);
	/** what the columns before it in an index lead to */
	const reached = new Set(
		full.flatMap((fields) => fields.filter((_, place) => fields.slice(0, place).every(isGiven))),
	);
	const isFound = ({ field, op }: FieldCondition<string>): boolean =>
		sparse.includes(field) ? !isNegative(op) : reached.has(field) && isBounded(op);
	if (asked.some((one) => isFound(one) && !fixed.has(one.field))) return 'placed';
	const isInSideTable = ({ field, op }: FieldCondition<string>): boolean => {
		const column = columns[field];
		return column !== undefined && isValues(column) && !isNegative(op);
	};
	return fixed.size > 0 || asked.some(isInSideTable) ? 'ordered' : 'walked';
}

type Operator = FieldCondition<string>['op'];

function hasOneValue(condition: FieldCondition<string>): boolean {
	return condition.op === 'eq' || (condition.op === 'in' && condition.value.length === 1);
}

function isNegative(op: Operator): boolean {
	return op === 'ne' || op === 'notIn' || op === 'missing';
}

/** By the others an index of all rows is read from end to end, when a few rows may do. */
function isBounded(op: Operator): boolean {
	return ['eq', 'in', 'lt', 'lte', 'gt', 'gte', 'missing'].includes(op);
}
