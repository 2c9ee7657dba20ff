import { sql, type RawBuilder } from '../../kysely';
import { columnName } from '../collections';
import type { ColumnEncoder } from '../column-values';
import { filterIn, searchIn, whereOf, type Where } from '../conditions';
import { candidatesOf, type Candidate } from './list-candidates';
import { inSideTable, PagePlans, type Page, type PagePlan, type Part } from './page-plans';
import type { SqlExecutor } from '../../sql/executor';
import {
	rowCount,
	type CompiledStatementCache,
	type NextSlot,
} from '../../sql/compiled-statement-cache';
import type { FieldCondition } from '../../store';

const mostParameters = 2_000;

interface Branch {
	readonly by: Candidate;
	readonly search: Where;
	readonly filter: Where;
	readonly page: Page;
	readonly isSorted: boolean;
}

/** Statements that read a page at a cost that does not depend on the size of the account. */
export class PageStatements {
	private readonly table: string;

	private readonly plans: PagePlans;

	constructor(
		private readonly encoder: ColumnEncoder,
		private readonly compiled: CompiledStatementCache,
	) {
		this.table = encoder.collection.table;
		this.plans = new PagePlans(encoder, compiled);
	}

	/** Returns the rows of the page; undefined if no index helps to find them. */
	async read<Row>(
		executor: SqlExecutor,
		page: Page,
		columns: readonly string[],
	): Promise<Row[] | undefined> {
		// A condition that no row meets, or too many conditions.
		if (whereOf(this.encoder, page.conditions, searchIn(this.compiled)).isNever) return [];
		const candidates = candidatesOf(this.encoder.collection, page.conditions);
		if (candidates.length === 0) return undefined;
		const plan = await this.plans.choose(executor, candidates, page);
		const parts = this.partsOf(plan, page);
		if (parts.length === 0) return [];
		if (parts.flatMap(({ values }) => values).length > mostParameters) return undefined;
		const shape = parts.map((part) => part.shape).join('+');
		const key = `${this.table} page ${columns.length} ${page.direction} ${shape}`;
		const values = [...parts.flatMap((part) => part.values), page.limit, page.offset];
		return await this.compiled.query<Row>(executor, key, values, (db, slot) => {
			const built = sql.join<boolean>(
				parts.map(({ build }) => build(slot)),
				sql` union all `,
			);
			// A scan has one part, which is a condition; the parts of other plans find places.
			const condition = plan.kind === 'scan' ? built : this.isAmong(built);
			return db
				.selectFrom(this.table)
				.select(columns.map((column) => `${this.table}.${column}`))
				.where(condition)
				.orderBy(`${this.table}.ordinal`, page.direction)
				.limit(rowCount(slot))
				.offset(rowCount(slot));
		});
	}

	private partsOf(plan: PagePlan, page: Page): Part[] {
		if (plan.kind === 'scan') return [this.scan(page)];
		const { by } = plan;
		const isSorted = plan.kind === 'sorted';
		const rest = page.conditions.filter(
			(condition) => condition.op === 'anyOf' || !by.conditions.includes(condition),
		);
		const filter = whereOf(this.encoder, rest, filterIn(this.compiled));
		const fixed = by.conditions.filter((condition) => condition !== by.each);
		return valuesOf(by, isSorted).flatMap((one) => {
			const searched = one === undefined ? fixed : [...fixed, one];
			const search = whereOf(this.encoder, searched, searchIn(this.compiled));
			return search.isNever ? [] : [this.branch({ by, search, filter, page, isSorted })];
		});
	}

	private scan({ conditions, after, direction }: Page): Part {
		const filter = whereOf(this.encoder, conditions, filterIn(this.compiled));
		const start = after ?? (direction === 'asc' ? 0 : Number.MAX_SAFE_INTEGER);
		return {
			shape: `scan ${filter.shape}`,
			values: [...filter.values, start],
			build: (slot) => {
				const tests = filter.build(slot);
				return sql.join([...tests, beyond(this.ordinal, direction, slot)], sql` and `);
			},
		};
	}

	/** Places of the first rows for one value of a condition, or for all if they are sorted. */
	private branch({ by, search, filter, page, isSorted }: Branch): Part {
		const { direction, after, limit, offset } = page;
		const place = by.isSideTable ? sql.ref('s.ordinal') : this.ordinal;
		const start = after === undefined ? [] : [after];
		return {
			shape: `${isSorted} ${by.isSideTable} ${start.length} ${search.shape} ${filter.shape}`,
			values: [...search.values, ...filter.values, ...start, limit + offset],
			build: (slot) => {
				const found = by.isSideTable
					? this.inSideTable(by, search, slot, isSorted)
					: this.inTable(search, slot, isSorted);
				const tests = [...found.tests, ...filter.build(slot)];
				if (after !== undefined) tests.push(beyond(place, direction, slot));
				const where = tests.length === 0 ? sql`` : sql`where ${sql.join(tests, sql` and `)}`;
				const order = isSorted ? [sql`+${place}`] : [...this.absentColumns(by), place];
				const sorted = order.map((one) => sql`${one} ${sql.raw(direction)}`);
				return sql`select ordinal from (select ${place} as ordinal from ${found.from} ${where}
					order by ${sql.join(sorted)} limit ${rowCount(slot)}) as found`;
			},
		};
	}

	/** PostgreSQL gets an array: it would search again for each row of a table that it takes for empty. */
	private isAmong(places: RawBuilder<unknown>): RawBuilder<boolean> {
		if (this.compiled.needsPlanHints) return sql`${this.ordinal} in (${places})`;
		return sql`${this.ordinal} = any(array(${places}))`;
	}

	private inTable(search: Where, slot: NextSlot, isSorted: boolean): Source {
		const table = sql.table(this.table);
		const tests = search.build(slot);
		if (!isSorted || this.compiled.needsPlanHints) return { from: table, tests };
		// The offset keeps PostgreSQL from finding the rows by other conditions.
		const where = sql.join(tests, sql` and `);
		return { from: sql`(select * from ${table} where ${where} offset 0) as ${table}`, tests: [] };
	}

	private inSideTable(by: Candidate, search: Where, slot: NextSlot, isSorted: boolean): Source {
		const test = inSideTable(by.each?.field ?? '', search.values.map(slot));
		const table = sql.table(this.table);
		const joined = sql<boolean>`${this.ordinal} = s.ordinal`;
		const side = sql`${sql.table(`${this.table}_values`)} as s`;
		if (!isSorted || this.compiled.needsPlanHints) {
			return { from: sql`${side} cross join ${table}`, tests: [test, joined] };
		}
		const found = sql`(select s.ordinal from ${side} where ${test} offset 0) as s`;
		return { from: sql`${found} cross join ${table}`, tests: [joined] };
	}

	/**
	 * Columns of an index of which the rows have no value. PostgreSQL does not know that these rows
	 * are in order of the next column, unless the statement orders by both.
	 */
	private absentColumns({ conditions }: Candidate): Array<RawBuilder<unknown>> {
		if (this.compiled.needsPlanHints) return [];
		return conditions.flatMap(({ field, op }) =>
			op === 'missing' ? [sql.ref(`${this.table}.${columnName(field)}`)] : [],
		);
	}

	private get ordinal(): RawBuilder<unknown> {
		return sql.ref(`${this.table}.ordinal`);
	}
}

interface Source {
	readonly from: RawBuilder<unknown>;
	readonly tests: Array<RawBuilder<boolean>>;
}

/** Values that are read one by one; `undefined` stands for a search by all conditions at once. */
function valuesOf(
	{ each, isSideTable }: Candidate,
	isSorted: boolean,
): Array<FieldCondition<string> | undefined> {
	if (each === undefined) return [undefined];
	if (isSorted && !isSideTable) return [each];
	if (each.op === 'eq') return [each];
	const values = each.op === 'in' ? [...new Set(each.value)] : [];
	return values.map((value) => ({ field: each.field, op: 'eq', value }));
}

function beyond(
	place: RawBuilder<unknown>,
	direction: 'asc' | 'desc',
	slot: NextSlot,
): RawBuilder<boolean> {
	return sql`${place} ${sql.raw(direction === 'asc' ? '>' : '<')} ${rowCount(slot)}`;
}
