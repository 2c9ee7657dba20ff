import { sql, type RawBuilder } from '../kysely';
import type { ColumnEncoder } from './column-values';
import { whereOf, type ConditionRole, type Where } from './conditions';
import { candidatesOf, isRange, type Candidate } from './list-candidates';
import type { SqlExecutor, SqlValue } from '../sql/executor';
import {
	rowCount,
	type CompiledStatementCache,
	type NextSlot,
} from '../sql/compiled-statement-cache';
import type { Condition, FieldCondition } from '../store';

type Conditions = ReadonlyArray<Condition<string>>;

/** Page of a list in order of insertion. */
export interface Page {
	readonly conditions: Conditions;
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
 * - `walked`: rows are read in their order and tested, until the page is full.
 */
type Plan =
	{ readonly kind: 'in order' | 'sorted'; readonly by: Candidate } | { readonly kind: 'walked' };

/** Part of a statement with its own values. */
interface Part {
	readonly shape: string;
	readonly values: readonly SqlValue[];
	readonly build: (slot: NextSlot) => RawBuilder<unknown>;
}

/** number of rows that are sorted without looking for a better way */
const fewRows = 1_000;
const mostParameters = 2_000;

/**
 * Statements that read a page at a cost that does not depend on the size of the account. If several
 * indexes can find the rows, each of them is first asked whether it finds few: databases know too
 * little about rows that depend on each other, such as the newest ones and those with a late time.
 */
export class PageStatements {
	private readonly table: string;

	private readonly filterRole: ConditionRole;

	constructor(
		private readonly encoder: ColumnEncoder,
		private readonly compiled: CompiledStatementCache,
	) {
		this.table = encoder.collection.table;
		this.filterRole = compiled.needsPlanHints ? 'unindexed filter' : 'filter';
	}

	/** Returns the rows of the page; undefined if no index helps to find them. */
	async read<Row>(
		executor: SqlExecutor,
		page: Page,
		columns: readonly string[],
	): Promise<Row[] | undefined> {
		const candidates = candidatesOf(this.encoder.collection, page.conditions);
		if (candidates.length === 0) return undefined;
		const plan = await this.choose(executor, candidates, page);
		const parts = this.partsOf(plan, page);
		if (parts.length === 0) return [];
		if (parts.flatMap(({ values }) => values).length > mostParameters) return undefined;
		const key = `${this.table} page ${columns.length} ${page.direction} ${parts.map(({ shape }) => shape).join('+')}`;
		const values = [...parts.flatMap((part) => part.values), page.limit, page.offset];
		return await this.compiled.query<Row>(executor, key, values, (db, slot) => {
			const built = parts.map(({ build }) => build(slot));
			const condition =
				plan.kind === 'walked'
					? sql<boolean>`${sql.join(built, sql` and `)}`
					: sql<boolean>`${this.ordinal} in (${sql.join(built, sql` union all `)})`;
			return db
				.selectFrom(this.table)
				.select(columns.map((column) => `${this.table}.${column}`))
				.where(condition)
				.orderBy(`${this.table}.ordinal`, page.direction)
				.limit(rowCount(slot))
				.offset(rowCount(slot));
		});
	}

	private async choose(
		executor: SqlExecutor,
		candidates: readonly Candidate[],
		page: Page,
	): Promise<Plan> {
		const [only] = candidates;
		if (candidates.length === 1 && only?.isOrdered === true) return { kind: 'in order', by: only };
		const most = Math.max(fewRows, 4 * (page.limit + page.offset));
		const behind = candidates.map((one) => rowsBehind(one, page.direction));
		const counts = await this.count(executor, [...candidates.map(searchOf), ...behind], most);
		const sizes = candidates.map((by, index) => ({ by, size: counts[index] ?? 0 }));
		const [smallest] = sizes.sort((one, other) => one.size - other.size);
		if (smallest === undefined) return { kind: 'walked' };
		if (smallest.size <= most) return { kind: 'sorted', by: smallest.by };
		const ordered = candidates.find(({ isOrdered }) => isOrdered);
		if (ordered !== undefined) return { kind: 'in order', by: ordered };
		// The walk begins at the rows that a range leaves out: it must not leave out many.
		const isShort = candidates.some(
			(_, index) => behind[index] === undefined || (counts[candidates.length + index] ?? 0) <= most,
		);
		return isShort ? { kind: 'walked' } : { kind: 'sorted', by: smallest.by };
	}

	/** Counts the rows that each of the searches finds, up to a little more than `most`. */
	private async count(
		executor: SqlExecutor,
		searches: ReadonlyArray<Search | undefined>,
		most: number,
	): Promise<Array<number | undefined>> {
		const parts = searches.flatMap((search) =>
			search === undefined ? [] : [this.found(search, most + 1)],
		);
		const key = `${this.table} sizes ${parts.map(({ shape }) => shape).join('+')}`;
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
		const where = whereOf(this.encoder, conditions);
		const [field = ''] = conditions.map((condition) => condition.field);
		return {
			shape: `${isSideTable ? 'side ' : ''}${where.shape}`,
			values: [...where.values, limit],
			build: (slot) => {
				const tests = isSideTable
					? [this.inSideTable(field, where.values.map(slot))]
					: where.build(slot);
				const from = isSideTable
					? sql`${sql.table(`${this.table}_values`)} as s`
					: sql.table(this.table);
				return sql`select 1 as one from ${from}
					where ${sql.join(tests, sql` and `)} limit ${rowCount(slot)}`;
			},
		};
	}

	private partsOf(plan: Plan, page: Page): Part[] {
		const most = page.limit + page.offset;
		if (plan.kind === 'walked') return this.walk(page);
		const { by } = plan;
		const isSorted = plan.kind === 'sorted';
		const rest = page.conditions.filter(
			(condition) => condition.op === 'anyOf' || !by.conditions.includes(condition),
		);
		const filter = whereOf(this.encoder, rest, this.filterRole);
		if (filter.isNever) return [];
		return valuesOf(by, isSorted && !by.isSideTable).flatMap((one) => {
			const fixed = by.conditions.filter((condition) => condition !== by.each);
			const search = whereOf(this.encoder, one === undefined ? fixed : [...fixed, one]);
			if (search.isNever) return [];
			return [this.branch({ by, search, filter, page, most, isSorted })];
		});
	}

	private walk({ conditions, after, direction }: Page): Part[] {
		const filter = whereOf(this.encoder, conditions, this.filterRole);
		if (filter.isNever) return [];
		const start = after ?? (direction === 'asc' ? 0 : Number.MAX_SAFE_INTEGER);
		return [
			{
				shape: `walked ${filter.shape}`,
				values: [...filter.values, start],
				build: (slot) => {
					const tests = filter.build(slot);
					return sql.join([...tests, beyond(this.ordinal, direction, slot)], sql` and `);
				},
			},
		];
	}

	/** Places of the first rows for one value of a condition. */
	private branch({ by, search, filter, page, most, isSorted }: Branch): Part {
		const { direction, after } = page;
		const shape = `${isSorted} ${by.isSideTable} ${after !== undefined} ${search.shape} ${filter.shape}`;
		const values = [
			...search.values,
			...filter.values,
			...(after === undefined ? [] : [after]),
			most,
		];
		return {
			shape,
			values,
			build: (slot) => {
				const side = by.isSideTable ? sql.table(`${this.table}_values`) : undefined;
				const place = side === undefined ? this.ordinal : sql.ref('s.ordinal');
				const found =
					side === undefined
						? search.build(slot)
						: [this.inSideTable(by.each?.field ?? '', [slot()])];
				const tests = [...found, ...filter.build(slot)];
				if (side !== undefined) tests.push(sql`${this.ordinal} = s.ordinal`);
				if (after !== undefined) tests.push(beyond(place, direction, slot));
				const from =
					side === undefined
						? sql.table(this.table)
						: sql`${side} as s cross join ${sql.table(this.table)}`;
				const order = isSorted ? sql`+${place}` : place;
				return sql`select ordinal from (select ${place} as ordinal from ${from}
					where ${sql.join(tests, sql` and `)}
					order by ${order} ${sql.raw(direction)} limit ${rowCount(slot)}) as found`;
			},
		};
	}

	private inSideTable(field: string, values: readonly unknown[]): RawBuilder<boolean> {
		return sql`s.field = ${sql.lit(field)} and s.value in (${sql.join(values)})`;
	}

	private get ordinal(): RawBuilder<unknown> {
		return sql.ref(`${this.table}.ordinal`);
	}
}

interface Branch {
	readonly by: Candidate;
	readonly search: Where;
	readonly filter: Where;
	readonly page: Page;
	readonly most: number;
	readonly isSorted: boolean;
}

type Search = Pick<Candidate, 'conditions' | 'isSideTable'>;

const searchOf = (candidate: Candidate): Search => candidate;

/** Values that are read one by one; `undefined` stands for a search by all conditions at once. */
function valuesOf(
	{ each }: Candidate,
	isAtOnce: boolean,
): Array<FieldCondition<string> | undefined> {
	if (each === undefined) return [undefined];
	if (isAtOnce) return [each];
	const values = each.op === 'in' ? [...new Set(each.value)] : each.op === 'eq' ? [each.value] : [];
	return values.map((value) => ({ field: each.field, op: 'eq', value }));
}

function beyond(
	place: RawBuilder<unknown>,
	direction: 'asc' | 'desc',
	slot: NextSlot,
): RawBuilder<boolean> {
	return sql`${place} ${sql.raw(direction === 'asc' ? '>' : '<')} ${rowCount(slot)}`;
}

const opposites = { lt: 'gte', lte: 'gt', gt: 'lte', gte: 'lt' } as const;

/** Rows that a walk passes before it reaches a range at the other end of the list. */
function rowsBehind(
	{ conditions, isOrdered }: Candidate,
	direction: 'asc' | 'desc',
): Search | undefined {
	if (isOrdered) return undefined;
	const range = conditions.find(isRange);
	if (range === undefined) return undefined;
	const op = range.op as keyof typeof opposites;
	const isAtOtherEnd = (op === 'lt' || op === 'lte') === (direction === 'desc');
	if (!isAtOtherEnd) return undefined;
	return {
		conditions: [{ ...range, op: opposites[op] } as FieldCondition<string>],
		isSideTable: false,
	};
}
