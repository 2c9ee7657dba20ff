import { sql, type RawBuilder } from '../kysely';
import {
	rowCount,
	type CompiledStatementCache,
	type NextSlot,
} from '../sql/compiled-statement-cache';
import type { SqlExecutor, SqlValue } from '../sql/executor';
import type { Query } from '../store';
import { storeErrors } from '../store-errors';
import { columnName, isValues } from './collections';
import type { StoredRow } from './collection-statements';
import type { ColumnEncoder } from './column-values';
import { whereOf } from './conditions';
import { foundBySide, placesOf, type Places } from './list-places';

type Direction = 'asc' | 'desc';

/** Order of a list, and the place after which it continues. */
interface ListOrder {
	/** column of the order; `ordinal` for the order of insertion */
	readonly column: string;
	readonly direction: Direction;
	/** values of the order in the row before the first one; empty at the beginning of the list */
	readonly after: readonly SqlValue[];
}

/**
 * SQL statements that list the rows of one collection. They find the places of the rows first, in
 * their order and by the declared indexes, and then read the documents of the rows of one page.
 */
export class ListStatements {
	private readonly table: string;

	constructor(
		private readonly encoder: ColumnEncoder,
		private readonly compiled: CompiledStatementCache,
	) {
		this.table = encoder.collection.table;
	}

	async list(executor: SqlExecutor, query: Query<string>): Promise<StoredRow[]> {
		return await this.select<StoredRow>(executor, query, 'id, d.document, d.secrets');
	}

	async ids(executor: SqlExecutor, query: Query<string>): Promise<string[]> {
		const rows = await this.select<Pick<StoredRow, 'id'>>(executor, query, 'id');
		return rows.map(({ id }) => id);
	}

	async count(executor: SqlExecutor, { where = [] }: Query<string>): Promise<number> {
		const parts = placesOf(this.encoder, where);
		if (parts.length === 0) return 0;
		const rows = await this.compiled.query<{ total: number | string }>(
			executor,
			`${this.table} count ${shapeOf(parts)}`,
			parts.flatMap(({ values }) => values),
			(db, slot) => {
				const found = parts.map(({ build }) => {
					const { from, tests, ordinal } = build(slot);
					return sql`select ${ordinal} as ordinal from ${from} ${allOf(tests)}`;
				});
				// Several parts may have a row in common.
				const all = sql`(${sql.join(found, sql` union `)}) as found`;
				return db.selectNoFrom(sql<number>`(select count(*) from ${all})`.as('total'));
			},
		);
		return Number(rows[0]?.total ?? 0);
	}

	async countBy(
		executor: SqlExecutor,
		field: string,
		values: readonly string[],
	): Promise<Map<string, number>> {
		const where = whereOf(this.encoder, [{ field, op: 'in', value: values }]);
		if (where.isNever) return new Map();
		const rows = await this.compiled.query<{ value: SqlValue; total: number | string }>(
			executor,
			`${this.table} count by ${where.shape}`,
			where.values,
			(db, slot) => {
				const column = sql.ref(`${this.table}.${columnName(field)}`);
				return db
					.selectFrom(this.table)
					.select([sql<SqlValue>`${column}`.as('value'), sql<number>`count(*)`.as('total')])
					.where(sql<boolean>`${sql.join(where.build(slot), sql` and `)}`)
					.groupBy(column);
			},
		);
		const encoder = this.encoder.of(field);
		const totals = new Map(rows.map(({ value, total }) => [value, Number(total)]));
		return new Map(
			values.flatMap((value) => {
				const total = totals.get(encoder.encode(value));
				return total === undefined ? [] : [[value, total]];
			}),
		);
	}

	private async select<Row>(
		executor: SqlExecutor,
		query: Query<string>,
		columns: 'id' | 'id, d.document, d.secrets',
	): Promise<Row[]> {
		const limit = rowsAsked(query.limit, Number.MAX_SAFE_INTEGER);
		const offset = rowsAsked(query.offset, 0, 'offset');
		const order = await this.orderOf(executor, query);
		const parts = placesOf(this.encoder, query.where ?? []);
		if (parts.length === 0 || limit === 0) return [];
		const [only] = query.limit === undefined && parts.length === 1 ? parts : [];
		const most = only === undefined ? [limit + offset] : [];
		const { column, direction, after } = order;
		const key = `${this.table} list ${columns} ${most.length} ${column} ${direction} ${after.length}`;
		return await this.compiled.query<Row>(
			executor,
			`${key} ${shapeOf(parts)}`,
			[...parts.flatMap(({ values }) => [...values, ...after, ...most]), limit, offset],
			(db, slot) => {
				const { from, tests, place } =
					only === undefined ? this.page(parts, order, slot) : this.rows(only, order, slot);
				const documents = sql`join ${sql.table(`${this.table}_documents`)} as d
					on d.ordinal = ${sql.ref(`${this.table}.ordinal`)}`;
				const rows = sql<Row>`select ${sql.raw(columns)} from ${from} ${columns === 'id' ? sql`` : documents}
					${allOf(tests)} order by ${inOrder(place, order)}
					limit ${rowCount(slot)} offset ${rowCount(slot)}`;
				return { compile: () => rows.compile(db) };
			},
		);
	}

	/** Rows of a part after the place where the list continues, and what they are ordered by. */
	private rows({ build }: Places, order: ListOrder, slot: NextSlot) {
		const { from, tests, ordinal, createdAt } = build(slot);
		const column = sql.ref(`${this.table}.${order.column}`);
		const value = order.column === creationColumn ? (createdAt ?? column) : column;
		const place = order.column === 'ordinal' ? [ordinal] : [value, ordinal];
		if (order.after.length === 0) return { from, tests, place, ordinal };
		const sign = sql.raw(order.direction === 'asc' ? '>' : '<');
		const after = place.map((one) => (one === ordinal ? rowCount(slot) : slot()));
		const beyond = sql<boolean>`(${sql.join(place)}) ${sign} (${sql.join(after)})`;
		return { from, tests: [...tests, beyond], place, ordinal };
	}

	/** Rows of a page, whose places are found first: no documents are read and sorted for them. */
	private page(parts: readonly Places[], order: ListOrder, slot: NextSlot) {
		const places = parts.map((part) => {
			const { from, tests, place, ordinal } = this.rows(part, order, slot);
			return sql`select ordinal from (select ${ordinal} as ordinal from ${from} ${allOf(tests)}
				order by ${inOrder(place, order)} limit ${rowCount(slot)}) as found`;
		});
		const all = sql.join(places, sql` union all `);
		const ordinal = sql.ref(`${this.table}.ordinal`);
		// PostgreSQL gets an array: it would search again for each row of a table that it takes for
		// empty.
		const among = this.compiled.hasArrays ? sql`= any(array(${all}))` : sql`in (${all})`;
		const column = sql.ref(`${this.table}.${order.column}`);
		const place = order.column === 'ordinal' ? [ordinal] : [column, ordinal];
		return { from: sql.table(this.table), tests: [sql<boolean>`${ordinal} ${among}`], place };
	}

	/**
	 * @throws `error.gateway.store.invalidList`, `error.gateway.store.unknownCursor`
	 */
	private async orderOf(executor: SqlExecutor, query: Query<string>): Promise<ListOrder> {
		const { field, direction } = query.orderBy ?? { field: 'inserted', direction: 'asc' as const };
		if (direction !== 'asc' && direction !== 'desc') throw wrongDirection();
		const column = field === 'inserted' ? this.usualOrder(query) : this.orderColumn(field);
		if (query.after === undefined) return { column, direction, after: [] };
		const [row] = await this.compiled.query<{ ordinal: number | string; value: SqlValue }>(
			executor,
			`${this.table} cursor ${column}`,
			[query.after],
			(db, slot) =>
				db
					.selectFrom(this.table)
					.select(['ordinal', sql.ref(column).as('value')])
					.where('id', '=', slot()),
		);
		if (row === undefined || row.value === null) {
			throw storeErrors.create('unknownCursor', {
				message: 'The record after which the list should continue does not exist.',
				facts: { id: query.after },
			});
		}
		const ordinal = Number(row.ordinal);
		return { column, direction, after: column === 'ordinal' ? [ordinal] : [row.value, ordinal] };
	}

	/**
	 * The order of insertion. A list that is limited by times of creation, or found by a field with
	 * several values, has the order of creation, in which an index has its rows.
	 */
	private usualOrder({ where = [] }: Query<string>): string {
		const isLimited = where.some(
			(one) => 'field' in one && one.field === 'createdAt' && ranges.has(one.op),
		);
		const isFound = foundBySide(this.encoder, where) !== undefined;
		return isLimited || isFound ? creationColumn : 'ordinal';
	}

	private orderColumn(field: string): string {
		const { columns } = this.encoder.collection;
		const column = Object.hasOwn(columns, field) ? columns[field] : undefined;
		if (column !== undefined && !isValues(column) && column.sealed !== true) {
			return columnName(field);
		}
		throw storeErrors.create('invalidList', {
			message: `The list cannot be ordered by '${String(field).slice(0, 100)}'.`,
			facts: { field: 'orderBy.field' },
		});
	}
}

const creationColumn = columnName('createdAt');
const ranges: ReadonlySet<string> = new Set(['lt', 'lte', 'gt', 'gte']);

function inOrder(
	place: ReadonlyArray<RawBuilder<unknown>>,
	{ direction }: ListOrder,
): RawBuilder<unknown> {
	return sql.join(place.map((one) => sql`${one} ${sql.raw(direction)}`));
}

function shapeOf(parts: readonly Places[]): string {
	return parts.map(({ shape }) => shape).join('+');
}

function allOf(tests: ReadonlyArray<RawBuilder<boolean>>): RawBuilder<unknown> {
	return tests.length === 0 ? sql`` : sql`where ${sql.join(tests, sql` and `)}`;
}

function wrongDirection(): Error {
	return storeErrors.create('invalidList', {
		message: "Expected 'asc' or 'desc' as the direction of the list.",
		facts: { field: 'orderBy.direction' },
	});
}

/**
 * Returns a requested number of rows or its default.
 *
 * @throws `error.gateway.store.invalidList` for a value that is not a number of rows
 */
export function rowsAsked(
	value: number | undefined,
	otherwise: number,
	field: 'limit' | 'offset' = 'limit',
): number {
	if (value === undefined) return otherwise;
	if (Number.isSafeInteger(value) && value >= 0) return value;
	throw storeErrors.create('invalidList', {
		message: `Expected a whole number of records, 0 or more, found ${String(value)}.`,
		facts: { field },
	});
}
