import { sql, type RawBuilder } from '../../kysely';
import type { ColumnEncoder } from '../column-values';
import { searchIn, whereOf } from '../conditions';
import { isRange, type Candidate } from './list-candidates';
import type { SqlExecutor, SqlValue } from '../../sql/executor';
import {
	rowCount,
	type CompiledStatementCache,
	type NextSlot,
} from '../../sql/compiled-statement-cache';
import type { Condition } from '../../store';

/** Page of a list in order of insertion. */
export interface Page {
	readonly conditions: ReadonlyArray<Condition<string>>;
	readonly direction: 'asc' | 'desc';
	readonly limit: number;
	readonly offset: number;
	/** place of the row after which the page begins; absent for the first page */
	readonly after?: number | undefined;
}

/**
 * Way to read a page.
 *
 * - `in order`: an index yields the rows in their order, value by value, and no more than the page.
 * - `sorted`: an index finds few rows, whose places are sorted.
 * - `scan`: rows are read in their order and tested, until the page is full.
 */
export type PagePlan =
	{ readonly kind: 'in order' | 'sorted'; readonly by: Candidate } | { readonly kind: 'scan' };

/** Part of a statement with its own values. */
export interface Part {
	readonly shape: string;
	readonly values: readonly SqlValue[];
	readonly build: (slot: NextSlot) => RawBuilder<unknown>;
}

type Search = Pick<Candidate, 'conditions' | 'isSideTable'>;

/** number of rows that are sorted without looking for a better way */
const fewRows = 1_000;

/**
 * Chooses how to read a page. If several indexes can find the rows, or if one of them gives no order,
 * each of them is first asked whether it finds few: databases know too little about columns that
 * depend on each other, such as the time of a record and its place.
 */
export class PagePlans {
	constructor(
		private readonly encoder: ColumnEncoder,
		private readonly compiled: CompiledStatementCache,
	) {}

	async choose(
		executor: SqlExecutor,
		candidates: readonly Candidate[],
		page: Page,
	): Promise<PagePlan> {
		const [only] = candidates;
		if (candidates.length === 1 && only?.isOrdered === true) return { kind: 'in order', by: only };
		const most = Math.max(fewRows, 4 * (page.limit + page.offset));
		const passed = candidates.map((one) => rowsBeforeRange(one, page.direction));
		const counts = await this.count(executor, [...candidates, ...passed], most);
		const sizes = candidates.map((by, index) => ({ by, size: counts[index] ?? 0 }));
		const [smallest] = sizes.sort((one, other) => one.size - other.size);
		if (smallest === undefined) return { kind: 'scan' };
		if (smallest.size <= most) return { kind: 'sorted', by: smallest.by };
		const ordered = candidates.find(({ isOrdered }) => isOrdered);
		if (ordered !== undefined) return { kind: 'in order', by: ordered };
		// A scan first passes the rows that a range at the other end of the list leaves out.
		const isShort = counts.slice(candidates.length).some((count = 0) => count <= most);
		return isShort ? { kind: 'scan' } : { kind: 'sorted', by: smallest.by };
	}

	/** Counts the rows that each of the searches finds, up to a little more than `most`. */
	private async count(
		executor: SqlExecutor,
		searches: ReadonlyArray<Search | undefined>,
		most: number,
	): Promise<Array<number | undefined>> {
		const { table } = this.encoder.collection;
		const parts = searches.flatMap((search) =>
			search === undefined ? [] : [this.found(search, most + 1)],
		);
		const key = `${table} sizes ${parts.map(({ shape }) => shape).join('+')}`;
		const values = parts.flatMap((part) => part.values);
		const [row] = await this.compiled.query<Record<string, number | string>>(
			executor,
			key,
			values,
			(db, slot) =>
				db.selectNoFrom(
					parts.map(({ build }, index) =>
						sql<number>`(select count(*) from (${build(slot)}) as found)`.as(`c${index}`),
					),
				),
		);
		let next = 0;
		return searches.map((search) =>
			search === undefined ? undefined : Number(row?.[`c${next++}`] ?? 0),
		);
	}

	private found({ conditions, isSideTable }: Search, limit: number): Part {
		const { table } = this.encoder.collection;
		const where = whereOf(this.encoder, conditions, searchIn(this.compiled));
		const [field = ''] = conditions.map((condition) => condition.field);
		return {
			shape: where.shape,
			values: [...where.values, limit],
			build: (slot) => {
				const tests = isSideTable
					? [inSideTable(field, where.values.map(slot))]
					: where.build(slot);
				const from = isSideTable ? sql`${sql.table(`${table}_values`)} as s` : sql.table(table);
				return sql`select 1 as one from ${from}
					where ${sql.join(tests, sql` and `)} limit ${rowCount(slot)}`;
			},
		};
	}
}

/** Test of the side table `s`. */
export function inSideTable(field: string, values: readonly unknown[]): RawBuilder<boolean> {
	return sql`s.field = ${sql.lit(field)} and s.value in (${sql.join(values)})`;
}

const opposites = { lt: 'gte', lte: 'gt', gt: 'lte', gte: 'lt' } as const;

/** Rows that a scan passes before it reaches a range at the other end of the list. */
function rowsBeforeRange(
	{ conditions, isOrdered }: Candidate,
	direction: 'asc' | 'desc',
): Search | undefined {
	const range = isOrdered ? undefined : conditions.find(isRange);
	if (range === undefined) return undefined;
	const { op } = range;
	const isAtOtherEnd = (op === 'lt' || op === 'lte') === (direction === 'desc');
	if (!isAtOtherEnd) return undefined;
	return { conditions: [{ ...range, op: opposites[op] }], isSideTable: false };
}
