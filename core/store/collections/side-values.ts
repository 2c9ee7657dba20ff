import { sql, type RawBuilder } from '../kysely';
import type { SqlExecutor, SqlValue } from '../sql/executor';
import type { CompiledStatementCache, NextSlot } from '../sql/compiled-statement-cache';
import { isValues } from './collections';
import type { ColumnEncoder, FieldEncoder } from './column-values';

/** Place of a row, to which its side values refer: its primary key, or its id. */
export type RowPlace = number | string;

/** Values of one row, each with its field. */
type FieldValues = ReadonlyArray<readonly [field: string, value: SqlValue]>;

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
		encoder: ColumnEncoder,
		private readonly compiled: CompiledStatementCache,
	) {
		const { table, columns } = encoder.collection;
		this.table = table;
		this.fields = Object.entries(columns).flatMap(([field, column]) =>
			isValues(column) ? [{ field, encoder: encoder.of(field), values: column.values }] : [],
		);
	}

	of(record: object): FieldValues {
		return this.fields.flatMap(({ field, encoder, values }) => {
			const encoded = values(record).map((value) => encoder.encode(value));
			return [...new Set(encoded)].map((value) => [field, value] as const);
		});
	}

	async replace(executor: SqlExecutor, record: object, place: RowPlace): Promise<void> {
		if (this.fields.length === 0) return;
		const key = `${this.table} values delete ${typeof place}`;
		await this.compiled.write(executor, key, [place], (db, slot) =>
			db.deleteFrom(`${this.table}_values`).where('ordinal', '=', this.ordinalOf(place, slot)),
		);
		await this.insert(executor, this.of(record), place);
	}

	async insert(executor: SqlExecutor, rows: FieldValues, place: RowPlace): Promise<void> {
		for (let start = 0; start < rows.length; start += valuesPerStatement) {
			const some = rows.slice(start, start + valuesPerStatement);
			const key = `${this.table} values insert ${some.length} ${typeof place}`;
			const values = some.flatMap(([field, value]) => [field, value, place]);
			await this.compiled.write(executor, key, values, (db, slot) =>
				db.insertInto(`${this.table}_values`).values(
					some.map(() => ({
						field: slot(),
						value: slot(),
						ordinal: this.ordinalOf(place, slot),
					})),
				),
			);
		}
	}

	private ordinalOf(place: RowPlace, slot: NextSlot): RawBuilder<number> {
		if (typeof place === 'number') return sql`${slot()}`;
		return sql`(select ordinal from ${sql.table(this.table)} where id = ${slot()})`;
	}
}
