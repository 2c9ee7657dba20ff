import { sql } from '../kysely';
import type { SqlExecutor, SqlValue } from '../sql/executor';
import type { CompiledStatementCache, NextSlot } from '../sql/compiled-statement-cache';
import { isValues } from './collections';
import type { ColumnEncoder, FieldEncoder } from './column-values';

type Identified = { readonly id: string };

interface ValuesField {
	readonly field: string;
	readonly encoder: FieldEncoder;
	readonly values: (record: object) => readonly string[];
}

const valuesPerStatement = 16;

/** Statements of the side table of a collection, which holds fields with several values. */
export class SideValues {
	private readonly fields: readonly ValuesField[];

	private readonly table: string;

	constructor(
		private readonly encoder: ColumnEncoder,
		private readonly compiled: CompiledStatementCache,
	) {
		const { table, columns } = encoder.collection;
		this.table = table;
		this.fields = Object.entries(columns).flatMap(([field, column]) =>
			isValues(column) ? [{ field, encoder: encoder.of(field), values: column.values }] : [],
		);
	}

	async replace(executor: SqlExecutor, record: Identified): Promise<void> {
		if (this.fields.length === 0) return;
		await this.compiled.write(executor, `${this.table} values delete`, [record.id], (db, slot) =>
			db.deleteFrom(`${this.table}_values`).where('ordinal', '=', this.ordinalOf(slot)),
		);
		await this.insert(executor, record);
	}

	async insert(executor: SqlExecutor, record: Identified): Promise<void> {
		const rows = this.of(record);
		const createdAt = this.createdAt(record);
		for (let start = 0; start < rows.length; start += valuesPerStatement) {
			const some = rows.slice(start, start + valuesPerStatement);
			const key = `${this.table} values insert ${some.length}`;
			const values = some.flatMap(([field, value]) => [field, value, createdAt, record.id]);
			await this.compiled.write(executor, key, values, (db, slot) =>
				db.insertInto(`${this.table}_values`).values(
					some.map(() => ({
						field: slot(),
						value: slot(),
						created_at: slot(),
						ordinal: this.ordinalOf(slot),
					})),
				),
			);
		}
	}

	private createdAt(record: object): SqlValue {
		const { createdAt } = this.encoder.collection.columns;
		if (createdAt === undefined || isValues(createdAt)) return '';
		return this.encoder.of('createdAt').encode(createdAt.from(record)) ?? '';
	}

	/** Values of one row, each with its field. */
	private of(record: object): Array<readonly [field: string, value: SqlValue]> {
		return this.fields.flatMap(({ field, encoder, values }) => {
			const encoded = values(record).map((value) => encoder.encode(value));
			return [...new Set(encoded)].map((value) => [field, value] as const);
		});
	}

	/** Place of the row, to which its side values refer. */
	private ordinalOf(slot: NextSlot) {
		return sql<number>`(select ordinal from ${sql.table(this.table)} where id = ${slot()})`;
	}
}
