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

/** Primary key of a row, which its values in the side table refer to. */
interface Inserted {
	readonly ordinal: number | string;
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

	/**
	 * Inserts a row; false when the id or a unique column is taken. The statement returns the new key
	 * only when side values need it, because returning it takes longer.
	 */
	async insert(
		executor: SqlExecutor,
		record: Identified,
		row: Omit<StoredRow, 'id'>,
	): Promise<boolean> {
		const values = [record.id, row.document, row.secrets, ...this.columnValues(record)];
		const rows = this.sideValues.of(record);
		if (rows.length === 0) {
			const key = `${this.table} insert`;
			return (await this.compiled.change(executor, key, values, this.insertion)) > 0;
		}
		const key = `${this.table} insert with values`;
		const [inserted] = await this.compiled.query<Inserted>(executor, key, values, (db, slot) =>
			this.insertion(db, slot).returning('ordinal'),
		);
		if (inserted === undefined) return false;
		await this.sideValues.insert(executor, rows, Number(inserted.ordinal));
		return true;
	}

	/** Inserts a new row without waiting for the answer; the transaction fails if it is not new. */
	async add(executor: SqlExecutor, record: Identified, row: Omit<StoredRow, 'id'>): Promise<void> {
		const values = [record.id, row.document, row.secrets, ...this.columnValues(record)];
		await this.compiled.write(executor, `${this.table} add`, values, this.addition);
		await this.sideValues.insert(executor, this.sideValues.of(record), record.id);
	}

	/**
	 * Updates a row; false when there is no such record. The secrets stay unless new ones are given.
	 */
	async update(executor: SqlExecutor, record: Identified, row: ChangedRow): Promise<boolean> {
		const { key, values, build } = this.updating(record, row);
		const updated = await this.compiled.query<Inserted>(executor, key, values, (db, slot) =>
			build(db, slot).returning('ordinal'),
		);
		if (updated[0] === undefined) return false;
		await this.sideValues.replace(executor, record, Number(updated[0].ordinal));
		return true;
	}

	/** Updates a row that exists for certain, without waiting for the answer. */
	async updateKnown(executor: SqlExecutor, record: Identified, row: ChangedRow): Promise<void> {
		const { key, values, build } = this.updating(record, row);
		await this.compiled.write(executor, `${key} known`, values, build);
		await this.sideValues.replace(executor, record, record.id);
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

	async delete(executor: SqlExecutor, id: string): Promise<boolean> {
		const changed = await this.compiled.change(executor, `${this.table} delete`, [id], (db, slot) =>
			db.deleteFrom(this.table).where('id', '=', slot()),
		);
		return changed > 0;
	}

	/** Deletes a row that exists for certain, without waiting for the answer. */
	async deleteKnown(executor: SqlExecutor, id: string): Promise<void> {
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

	private readonly addition = (db: AnyDatabase, slot: NextSlot) =>
		db
			.insertInto(this.table)
			.values(
				Object.fromEntries(
					[...rowColumns, ...this.columns.map(({ name }) => name)].map((name) => [name, slot()]),
				),
			);

	private readonly insertion = (db: AnyDatabase, slot: NextSlot) =>
		this.addition(db, slot).onConflict((conflict) => conflict.doNothing());

	private columnValues(record: Identified): SqlValue[] {
		return this.columns.map(({ encoder, from }) => encoder.encode(from(record)));
	}
}
