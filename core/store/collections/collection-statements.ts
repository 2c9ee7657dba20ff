import { sql } from '../kysely';
import type { AnyCollection } from './collection-declaration';
import { columnName, isValues } from './collections';
import type { ColumnEncoder, FieldEncoder } from './column-values';
import type { SqlExecutor, SqlValue } from '../sql/executor';
import {
	rowCount,
	type AnyDatabase,
	type NextSlot,
	type CompiledStatementCache,
} from '../sql/compiled-statement-cache';
import type { ColumnValue } from '../store';
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
			(db, slot) => this.rows(db).select(rowColumns).where('id', '=', slot()),
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
				this.rows(db)
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
		const values = this.insertedValues(record);
		await this.compiled.write(executor, `${this.table} insert`, values, this.insertion);
		await this.insertRest(executor, record, row);
	}

	/** Inserts a row; false when its id or a unique column is taken. */
	async insertIfNew(
		executor: SqlExecutor,
		record: Identified,
		row: Omit<StoredRow, 'id'>,
	): Promise<boolean> {
		const values = this.insertedValues(record);
		const key = `${this.table} insert if new`;
		const inserted = await this.compiled.change(executor, key, values, (db, slot) =>
			this.insertion(db, slot).onConflict((conflict) => conflict.doNothing()),
		);
		if (inserted > 0) await this.insertRest(executor, record, row);
		return inserted > 0;
	}

	private async insertRest(
		executor: SqlExecutor,
		record: Identified,
		{ document, secrets }: Omit<StoredRow, 'id'>,
	): Promise<void> {
		const values = [record.id, document, secrets];
		await this.compiled.write(executor, `${this.table} insert document`, values, (db, slot) =>
			db
				.insertInto(`${this.table}_documents`)
				.values({ ordinal: this.ordinalOf(slot), document: slot(), secrets: slot() }),
		);
		await this.sideValues.insert(executor, record);
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
		if (this.columns.length > 0) {
			const changed = [...this.columnValues(record), record.id];
			await this.compiled.write(executor, `${this.table} update`, changed, (db, slot) =>
				db
					.updateTable(this.table)
					.set(Object.fromEntries(this.columns.map(({ name }) => [name, slot()])))
					.where('id', '=', slot()),
			);
		}
		await this.sideValues.replace(executor, record);
		return true;
	}

	private updating({ id }: Identified, { document, secrets }: ChangedRow) {
		const changed = secrets === undefined ? { document } : { document, secrets };
		const build = (db: AnyDatabase, slot: NextSlot) =>
			db
				.updateTable(`${this.table}_documents`)
				.set(Object.fromEntries(Object.keys(changed).map((name) => [name, slot()])))
				.where('ordinal', '=', this.ordinalOf(slot));
		const names = Object.keys(changed).join(' ');
		return { key: `${this.table} update ${names}`, values: [...Object.values(changed), id], build };
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
			this.rows(db)
				.select([sql.ref<number>(`${this.table}.ordinal`).as('ordinal'), ...rowColumns])
				.where(sql<boolean>`${sql.ref(`${this.table}.ordinal`)} > ${slot()}`)
				.orderBy(`${this.table}.ordinal`)
				.limit(rowCount(slot)),
		);
	}

	private readonly insertion = (db: AnyDatabase, slot: NextSlot) =>
		db
			.insertInto(this.table)
			.values(
				Object.fromEntries(
					['id', ...this.columns.map(({ name }) => name)].map((name) => [name, slot()]),
				),
			);

	private insertedValues(record: Identified): SqlValue[] {
		return [record.id, ...this.columnValues(record)];
	}

	/** Rows with their documents, which stand apart so that a search need not read them. */
	private rows(db: AnyDatabase) {
		const { table } = this;
		return db
			.selectFrom(table)
			.innerJoin(`${table}_documents as d`, 'd.ordinal', `${table}.ordinal`);
	}

	private ordinalOf(slot: NextSlot) {
		return sql<number>`(select ordinal from ${sql.table(this.table)} where id = ${slot()})`;
	}

	private columnValues(record: Identified): SqlValue[] {
		return this.columns.map(({ encoder, from }) => encoder.encode(from(record)));
	}
}
