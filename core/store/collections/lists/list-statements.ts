import { sql, type RawBuilder } from '../../kysely';
import { accessPathOf, type AccessPath } from './access-path';
import { rowColumns, type StoredRow } from '../collection-statements';
import { columnName, isValues } from '../collections';
import type { ColumnEncoder } from '../column-values';
import { searchIn, whereOf } from '../conditions';
import { PageStatements } from './page-statements';
import type { SqlExecutor, SqlValue } from '../../sql/executor';
import {
	rowCount,
	type CompiledStatementCache,
	type NextSlot,
} from '../../sql/compiled-statement-cache';
import type { Query } from '../../store';
import { storeErrors } from '../../store-errors';

/** Place in a list: the values of the row by which the list is ordered. */
interface Cursor {
	readonly ordinal: number;
	/** value of the column of the order; absent for the order of insertion */
	readonly value?: SqlValue;
}

type Direction = 'asc' | 'desc';

/** SQL statements that list the rows of one collection. */
export class ListStatements {
	private readonly table: string;

	private readonly pages: PageStatements;

	constructor(
		private readonly encoder: ColumnEncoder,
		private readonly compiled: CompiledStatementCache,
	) {
		this.table = encoder.collection.table;
		this.pages = new PageStatements(encoder, compiled);
	}

	list(executor: SqlExecutor, query: Query<string>): Promise<StoredRow[]> {
		return this.select(executor, query, rowColumns);
	}

	async ids(executor: SqlExecutor, query: Query<string>): Promise<string[]> {
		const rows = await this.select<Pick<StoredRow, 'id'>>(executor, query, ['id']);
		return rows.map(({ id }) => id);
	}

	private async select<Row extends object>(
		executor: SqlExecutor,
		query: Query<string>,
		columns: readonly string[],
	): Promise<Row[]> {
		const { field, direction } = query.orderBy ?? { field: 'inserted', direction: 'asc' as const };
		const column = field === 'inserted' ? 'ordinal' : this.orderColumn(field);
		if (direction !== 'asc' && direction !== 'desc') throw wrongDirection();
		const limit = rowsAsked(query.limit, Number.MAX_SAFE_INTEGER);
		const offset = rowsAsked(query.offset, 0, 'offset');
		const after =
			query.after === undefined ? undefined : await this.cursorAt(executor, query.after, column);
		// A single row, which most lists of the gateway itself ask for, is not worth a choice.
		if (column === 'ordinal' && query.limit !== undefined && limit > 1) {
			const page = { direction, limit, offset, after: after?.ordinal };
			const conditions = query.where ?? [];
			const rows = await this.pages.read<Row>(executor, { ...page, conditions }, columns);
			if (rows !== undefined) return rows;
		}
		return await this.selectAll(executor, query, columns, { column, direction, after });
	}

	/** Reads a list by the conditions and indexes alone. */
	private selectAll<Row extends object>(
		executor: SqlExecutor,
		query: Query<string>,
		columns: readonly string[],
		{ column, direction, after }: ListOrder,
	): Promise<Row[]> {
		const where = whereOf(this.encoder, query.where ?? [], searchIn(this.compiled));
		const limit = rowsAsked(query.limit, Number.MAX_SAFE_INTEGER);
		const offset = rowsAsked(query.offset, 0, 'offset');
		if (where.isNever) return Promise.resolve([]);
		const needsPlanHints = this.compiled.needsPlanHints && column === 'ordinal';
		const isPage = query.limit !== undefined;
		const start = after === undefined ? [] : placeOf(after);
		return this.compiled.query<Row>(
			executor,
			`${this.table} list ${columns.length} ${where.shape} ${column} ${direction} ${isPage} ${start.length}`,
			[...where.values, ...start, limit + offset, limit, offset],
			(db, slot) => {
				const conditions = where.build(slot);
				if (start.length > 0) conditions.push(this.beyond(column, direction, slot));
				const places = slot();
				// The choice is made once per statement: making it takes longer than the rest of a short
				// list.
				const accessPath = needsPlanHints
					? accessPathOf(this.encoder.collection, query.where)
					: 'index-order';
				const page = isPage
					? firstPlaces(
							direction,
							rowCount(() => places),
						)
					: sql``;
				let builder = db.selectFrom(this.table).select(columns);
				for (const condition of this.found(accessPath, conditions, page)) {
					builder = builder.where(condition);
				}
				return builder
					.orderBy(column, direction)
					.$if(column !== 'ordinal', (ordered) => ordered.orderBy('ordinal', direction))
					.limit(rowCount(slot))
					.offset(rowCount(slot));
			},
		);
	}

	/**
	 * Finds the place of a record in a list.
	 *
	 * @throws `error.gateway.store.unknownCursor`
	 */
	private async cursorAt(executor: SqlExecutor, id: string, column: string): Promise<Cursor> {
		const [row] = await this.compiled.query<{ ordinal: number | string; value: SqlValue }>(
			executor,
			`${this.table} cursor ${column}`,
			[id],
			(db, slot) =>
				db
					.selectFrom(this.table)
					.select(['ordinal', sql.ref(column).as('value')])
					.where('id', '=', slot()),
		);
		if (row === undefined || row.value === null) {
			throw storeErrors.create('unknownCursor', {
				message: 'The record after which the list should continue does not exist.',
				facts: { id },
			});
		}
		const ordinal = Number(row.ordinal);
		return column === 'ordinal' ? { ordinal } : { ordinal, value: row.value };
	}

	private beyond(column: string, direction: Direction, slot: NextSlot): RawBuilder<boolean> {
		const sign = sql.raw(direction === 'asc' ? '>' : '<');
		const ordinal = sql.ref(`${this.table}.ordinal`);
		if (column === 'ordinal') return sql`${ordinal} ${sign} ${rowCount(slot)}`;
		return sql`(${sql.ref(`${this.table}.${column}`)}, ${ordinal}) ${sign} (${slot()}, ${rowCount(slot)})`;
	}

	/** Conditions of a list in a form that lets the database find the rows by an index. */
	private found(
		accessPath: AccessPath,
		conditions: ReadonlyArray<RawBuilder<boolean>>,
		page: RawBuilder<unknown>,
	): ReadonlyArray<RawBuilder<boolean>> {
		const ordinal = sql.ref(`${this.table}.ordinal`);
		switch (accessPath) {
			case 'index-order':
				return conditions;
			case 'rowid-subquery':
				return [
					sql`${ordinal} in (select ${ordinal} from ${sql.table(this.table)}
						where ${sql.join(conditions, sql` and `)} ${page})`,
				];
			case 'table-scan':
				return [sql`${ordinal} > 0`, ...conditions];
		}
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

function wrongDirection(): Error {
	return storeErrors.create('invalidList', {
		message: "Expected 'asc' or 'desc' as the direction of the list.",
		facts: { field: 'orderBy.direction' },
	});
}

interface ListOrder {
	readonly column: string;
	readonly direction: Direction;
	readonly after: Cursor | undefined;
}

function placeOf({ ordinal, value }: Cursor): SqlValue[] {
	return value === undefined ? [ordinal] : [value, ordinal];
}

/**
 * Sorts rows by their place. The unary plus keeps SQLite from scanning the whole table only because
 * it is already in this order.
 */
function firstPlaces(direction: Direction, limit: unknown): RawBuilder<unknown> {
	return sql`order by +ordinal ${sql.raw(direction)} limit ${limit}`;
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
