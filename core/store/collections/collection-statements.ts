import { sql } from '../kysely';
import type { AnyCollection } from './collection-declaration';
import { columnName, isValues } from './collections';
import type { ColumnEncoder, FieldEncoder } from './column-values';
import { searchIn, whereOf } from './conditions';
import type { SqlExecutor, SqlValue } from '../sql/executor';
import {
	rowCount,
	type AnyDatabase,
	type NextSlot,
	type CompiledStatementCache,
} from '../sql/compiled-statement-cache';
import type { ColumnValue, Query } from '../store';
import { SideValues } from './side-values';

export interface StoredRow {
	readonly id: string;
	readonly document: string;
	readonly secrets: string | null;
}

type Identified = { readonly id: string };

interface RowColumn {
	readonly name: string;
	readonly encoder: FieldEncoder;
	readonly from: (record: object) => ColumnValue | undefined;
}

type ChangedRow = { readonly document: string; readonly secrets?: string | undefined };

export const rowColumns = ['id', 'document', 'secrets'] as const;
const idsPerStatement = 512;

/** SQL statements of one collection, except its lists. */
export class CollectionStatements {
	private readonly columns: readonly RowColumn[];

	private readonly sideValues: SideValues;

	private readonly table: string;

	private readonly collection: AnyCollection;

	constructor(
		private readonly encoder: ColumnEncoder,
		private readonly compiled: CompiledStatementCache,
	) {
		const { collection } = encoder;
		this.collection = collection;
		const entries = Object.entries(collection.columns);
		this.table = collection.table;
		this.columns = entries.flatMap(([field, column]) =>
			isValues(column)
				? []
				: [{ name: columnName(field), encoder: encoder.of(field), from: column.from }],
		);
		this.sideValues = new SideValues(encoder, compiled);
	}

	async get(executor: SqlExecutor, id: string): Promise<StoredRow | undefined> {
		const rows = await this.compiled.query<StoredRow>(
			executor,
			`${this.table} get`,
			[id],
			(db, slot) => db.selectFrom(this.table).select(rowColumns).where('id', '=', slot()),
		);
		return rows[0];
	}

	async getMany(executor: SqlExecutor, ids: readonly string[]): Promise<StoredRow[]> {
		const byId = new Map<string, StoredRow>();
		for (let start = 0; start < ids.length; start += idsPerStatement) {
			const some = ids.slice(start, start + idsPerStatement);
			// Padding up to a power of two with the last id, so that there are few statement shapes
			// instead of one per length.
			const size = 2 ** Math.ceil(Math.log2(some.length));
			const filled = Array.from({ length: size }, (_, index) => some[index] ?? some.at(-1) ?? '');
			const key = `${this.table} getMany ${size}`;
			const rows = await this.compiled.query<StoredRow>(executor, key, filled, (db, slot) =>
				db
					.selectFrom(this.table)
					.select(rowColumns)
					.where(sql<boolean>`id in (${sql.join(filled.map(slot))})`),
			);
			for (const row of rows) byId.set(row.id, row);
		}
		return ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
	}

	/** Inserts a new row; the transaction fails if its id or a unique column is taken. */
	async insert(
		executor: SqlExecutor,
		record: Identified,
		row: Omit<StoredRow, 'id'>,
	): Promise<void> {
		const values = this.insertedValues(record, row);
		await this.compiled.write(executor, `${this.table} insert`, values, this.insertion);
		await this.sideValues.insert(executor, record);
	}

	/** Inserts a row; false when its id or a unique column is taken. */
	async insertIfNew(
		executor: SqlExecutor,
		record: Identified,
		row: Omit<StoredRow, 'id'>,
	): Promise<boolean> {
		const values = this.insertedValues(record, row);
		const key = `${this.table} insert if new`;
		const inserted = await this.compiled.change(executor, key, values, (db, slot) =>
			this.insertion(db, slot).onConflict((conflict) => conflict.doNothing()),
		);
		if (inserted > 0) await this.sideValues.insert(executor, record);
		return inserted > 0;
	}

	/**
	 * Updates a row; false when there is no such record. The secrets stay unless new ones are given.
	 *
	 * @param isThere true if the row exists for certain, so that its database need not say so
	 */
	async update(
		executor: SqlExecutor,
		record: Identified,
		row: ChangedRow,
		isThere: boolean,
	): Promise<boolean> {
		const { key, values, build } = this.updating(record, row);
		if (isThere) await this.compiled.write(executor, key, values, build);
		else if ((await this.compiled.change(executor, key, values, build)) === 0) return false;
		await this.sideValues.replace(executor, record);
		return true;
	}

	private updating(record: Identified, row: ChangedRow) {
		const withSecrets = row.secrets !== undefined;
		const names = [
			'document',
			...(withSecrets ? ['secrets'] : []),
			...this.columns.map(({ name }) => name),
		];
		const values = [
			row.document,
			...(row.secrets === undefined ? [] : [row.secrets]),
			...this.columnValues(record),
			record.id,
		];
		const build = (db: AnyDatabase, slot: NextSlot) =>
			db
				.updateTable(this.table)
				.set(Object.fromEntries(names.map((name) => [name, slot()])))
				.where('id', '=', slot());
		return { key: `${this.table} update ${withSecrets}`, values, build };
	}

	async delete(executor: SqlExecutor, id: string): Promise<void> {
		await this.compiled.write(executor, `${this.table} delete`, [id], (db, slot) =>
			db.deleteFrom(this.table).where('id', '=', slot()),
		);
	}

	/**
	 * Reads rows in order of insertion from a position instead of an offset, so that the last page
	 * costs as much as the first.
	 */
	async scan(
		executor: SqlExecutor,
		after: number,
		limit: number,
	): Promise<Array<StoredRow & { readonly ordinal: number | string }>> {
		return await this.compiled.query(executor, `${this.table} scan`, [after, limit], (db, slot) =>
			db
				.selectFrom(this.table)
				.select(['ordinal', ...rowColumns])
				.where(sql<boolean>`ordinal > ${slot()}`)
				.orderBy('ordinal')
				.limit(rowCount(slot)),
		);
	}

	async count(executor: SqlExecutor, query: Query<string>): Promise<number> {
		const where = whereOf(this.encoder, query.where ?? [], searchIn(this.compiled));
		if (where.isNever) return 0;
		const rows = await this.compiled.query<{ total: number | string }>(
			executor,
			`${this.table} count ${where.shape}`,
			where.values,
			(db, slot) => {
				let builder = db.selectFrom(this.table).select(({ fn }) => fn.countAll().as('total'));
				for (const condition of where.build(slot)) builder = builder.where(condition);
				return builder;
			},
		);
		return Number(rows[0]?.total ?? 0);
	}

	private readonly insertion = (db: AnyDatabase, slot: NextSlot) =>
		db
			.insertInto(this.table)
			.values(
				Object.fromEntries(
					[...rowColumns, ...this.columns.map(({ name }) => name)].map((name) => [name, slot()]),
				),
			);

	private insertedValues(record: Identified, row: Omit<StoredRow, 'id'>): SqlValue[] {
		return [record.id, row.document, row.secrets, ...this.columnValues(record)];
	}

	private columnValues(record: Identified): SqlValue[] {
		return this.columns.map(({ encoder, from }) => encoder.encode(from(record)));
	}
}
