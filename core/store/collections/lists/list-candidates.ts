import type { AnyCollection } from '../collection-declaration';
import { isValues } from '../collections';
import { indexesOf } from '../indexes';
import type { Condition, FieldCondition } from '../../store';

type One = FieldCondition<string>;
type Range = One & { readonly op: 'lt' | 'lte' | 'gt' | 'gte' };

/** Way to find the rows of a list by an index. */
export interface Candidate {
	/** conditions that the index answers */
	readonly conditions: readonly One[];
	/**
	 * True if the index yields the rows of one value in their order. If a condition names several
	 * values, each of them has its rows in order.
	 */
	readonly isOrdered: boolean;
	/** condition whose values are read one by one */
	readonly each?: One;
	/** true if the index is the side table of fields with several values */
	readonly isSideTable: boolean;
}

/** values of one condition that are read one by one */
const mostEach = 16;

/** Lists the ways to find rows that fit the conditions; each condition is used by one or more. */
export function candidatesOf(
	{ table, columns }: AnyCollection,
	conditions: ReadonlyArray<Condition<string>>,
): Candidate[] {
	const asked = conditions.filter((condition) => condition.op !== 'anyOf');
	const { full, sparse, prefix } = indexesOf(table);
	const found = [
		...full.flatMap((fields) => ofIndex(fields, asked) ?? []),
		...asked.flatMap((one) => {
			const column = columns[one.field];
			if (column !== undefined && isValues(column)) return ofValues(one, true) ?? [];
			if (prefix.includes(one.field)) return ofValues(one, false) ?? [];
			return sparse.includes(one.field) ? (ofSparse(one) ?? []) : [];
		}),
	];
	return found.filter(
		(one, place) => !found.some((other, index) => isBetter(other, one, index < place)),
	);
}

function ofIndex(fields: readonly string[], asked: readonly One[]): Candidate | undefined {
	const used: One[] = [];
	for (const [place, field] of fields.entries()) {
		const ofField = asked.filter((one) => one.field === field);
		const given = ofField.find((one) => hasOneValue(one) || one.op === 'missing');
		if (given !== undefined) {
			used.push(given);
			continue;
		}
		const next = ofField.find((one) => one.op === 'in' || isRange(one));
		if (next === undefined) break;
		const isLast = place === fields.length - 1;
		if (isLast && isShortList(next)) {
			return { conditions: [...used, next], isOrdered: true, each: next, isSideTable: false };
		}
		used.push(...ofField.filter((one) => one === next || isRange(one)));
		return { conditions: used, isOrdered: false, isSideTable: false };
	}
	if (used.length === 0) return undefined;
	return { conditions: used, isOrdered: used.length === fields.length, isSideTable: false };
}

function ofSparse(one: One): Candidate | undefined {
	if (isRange(one) || one.op === 'exists' || (one.op === 'in' && !isShortList(one))) {
		return { conditions: [one], isOrdered: false, isSideTable: false };
	}
	return ofValues(one, false);
}

/** Index whose only use is equality. */
function ofValues(one: One, isSideTable: boolean): Candidate | undefined {
	if (hasOneValue(one) && !isSideTable) {
		return { conditions: [one], isOrdered: true, isSideTable };
	}
	if (!hasOneValue(one) && !isShortList(one)) return undefined;
	return { conditions: [one], isOrdered: true, each: one, isSideTable };
}

/**
 * Prefers the index that answers more conditions, of equal ones the one with an order, and of those
 * the first.
 */
function isBetter(other: Candidate, one: Candidate, isFirst: boolean): boolean {
	if (!one.conditions.every((condition) => other.conditions.includes(condition))) return false;
	const isLarger = other.conditions.length > one.conditions.length;
	if (one.isOrdered) return other.isOrdered && (isLarger || isFirst);
	return other.isOrdered || isLarger || isFirst;
}

function hasOneValue(one: One): boolean {
	return one.op === 'eq' || (one.op === 'in' && one.value.length === 1);
}

function isShortList(one: One): boolean {
	return one.op === 'in' && one.value.length <= mostEach;
}

export function isRange(one: One): one is Range {
	return one.op === 'lt' || one.op === 'lte' || one.op === 'gt' || one.op === 'gte';
}
