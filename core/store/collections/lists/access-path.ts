import type { AnyCollection } from '../collection-declaration';
import { isValues } from '../collections';
import { indexesOf } from '../indexes';
import type { Condition, FieldCondition } from '../../store';

/**
 * Access paths to the rows of a list, in order of insertion and reading no more rows than
 * requested:
 *
 * - `index-order`: one value for each column of an index, or a side table, yields the rows in their
 *   order.
 * - `rowid-subquery`: an index finds the places of the rows, which are then read in their order.
 *   Otherwise whole documents would be sorted, or all of them read.
 * - `table-scan`: there is no condition, or only a condition that most rows fit. The rows are read
 *   by primary key until there are enough.
 *
 * Used for SQLite, which keeps no row counts; PostgreSQL keeps statistics and chooses better by
 * itself. Without access paths and index statistics, finding 10 of 10,000 attributes takes 29 to 52
 * times as long, and 10 of 10,000 requests 8 times (`npm run bench -- --against`).
 */
export type AccessPath = 'index-order' | 'rowid-subquery' | 'table-scan';

export function accessPathOf(
	{ table, columns }: AnyCollection,
	conditions: ReadonlyArray<Condition<string>> = [],
): AccessPath {
	const asked = conditions.filter((condition) => condition.op !== 'anyOf');
	const { full, sparse, prefix } = indexesOf(table);
	const isEqual = (field: string): boolean =>
		asked.some((one) => one.field === field && hasOneValue(one));
	const isGiven = (field: string): boolean =>
		isEqual(field) || asked.some((one) => one.field === field && one.op === 'missing');
	/** fields of an index in which all requested rows have one place */
	const fixed = new Set([
		...full.filter((fields) => fields.every(isGiven)).flat(),
		...[...sparse, ...prefix].filter(isEqual),
	]);
	/** fields of an index whose preceding columns are all given */
	const reached = new Set(
		full.flatMap((fields) => fields.filter((_, place) => fields.slice(0, place).every(isGiven))),
	);
	const isFound = ({ field, op }: FieldCondition<string>): boolean =>
		prefix.includes(field)
			? op === 'in'
			: sparse.includes(field)
				? !isNegative(op)
				: reached.has(field) && isBounded(op);
	if (asked.some((one) => isFound(one) && !fixed.has(one.field))) return 'rowid-subquery';
	const isInSideTable = ({ field, op }: FieldCondition<string>): boolean => {
		const column = columns[field];
		return column !== undefined && isValues(column) && !isNegative(op);
	};
	return fixed.size > 0 || asked.some(isInSideTable) ? 'index-order' : 'table-scan';
}

type Operator = FieldCondition<string>['op'];

function hasOneValue(condition: FieldCondition<string>): boolean {
	return condition.op === 'eq' || (condition.op === 'in' && condition.value.length === 1);
}

function isNegative(op: Operator): boolean {
	return op === 'ne' || op === 'notIn' || op === 'missing';
}

/**
 * Excludes the operators that would read an index of all rows from end to end although a few rows
 * may suffice.
 */
function isBounded(op: Operator): boolean {
	return ['eq', 'in', 'lt', 'lte', 'gt', 'gte', 'missing'].includes(op);
}
