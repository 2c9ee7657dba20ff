import type { CreateTableBuilder } from 'kysely';
import type { AnyDatabase } from '../statement-book';

/** Where the backends' column types differ. */
export interface SchemaDialect {
	/** numbers rows in order of insertion */
	readonly ordinal: 'integer' | 'bigserial';
	/** holds the text of a JSON document unchanged */
	readonly json: 'text' | 'json';
	readonly flag: 'integer' | 'boolean';
}

export const sqliteSchema: SchemaDialect = { ordinal: 'integer', json: 'text', flag: 'integer' };

export interface CollectionTable {
	readonly table: string;
	readonly text?: readonly string[];
	readonly integers?: readonly string[];
	readonly flags?: readonly string[];
	readonly unique?: readonly string[];
	readonly indexes?: readonly string[];
	/** whether there is a side table for fields with several values */
	readonly values?: boolean;
}

/** Spells out the tables that every collection has; columns and indexes are the migration's. */
export class SchemaBuilder {
	constructor(
		private readonly db: AnyDatabase,
		private readonly dialect: SchemaDialect,
	) {}

	async collection(spec: CollectionTable): Promise<void> {
		const { ordinal, json, flag } = this.dialect;
		let builder: CreateTableBuilder<string, string> = this.db.schema
			.createTable(spec.table)
			.addColumn('ordinal', ordinal, (column) =>
				ordinal === 'integer' ? column.primaryKey().autoIncrement() : column.primaryKey(),
			)
			.addColumn('id', 'text', (column) => column.notNull().unique())
			.addColumn('document', json, (column) => column.notNull())
			.addColumn('secrets', 'text');
		for (const name of spec.text ?? []) {
			builder = builder.addColumn(name, 'text', (column) =>
				spec.unique?.includes(name) === true ? column.unique() : column,
			);
		}
		for (const name of spec.integers ?? []) builder = builder.addColumn(name, 'integer');
		for (const name of spec.flags ?? []) builder = builder.addColumn(name, flag);
		await builder.execute();
		for (const name of spec.indexes ?? []) await this.index(spec.table, [name]);
		if (spec.values === true) await this.values(spec.table);
	}

	async index(table: string, columns: readonly string[]): Promise<void> {
		await this.db.schema
			.createIndex(`${table}_by_${columns.join('_').replaceAll('c_', '')}`)
			.on(table)
			.columns([...columns])
			.execute();
	}

	private async values(table: string): Promise<void> {
		const side = `${table}_values`;
		await this.db.schema
			.createTable(side)
			.addColumn('ordinal', 'bigint', (column) =>
				column.notNull().references(`${table}.ordinal`).onDelete('cascade'),
			)
			.addColumn('field', 'text', (column) => column.notNull())
			.addColumn('value', 'text', (column) => column.notNull())
			.execute();
		await this.index(side, ['ordinal', 'field', 'value']);
		await this.index(side, ['field', 'value', 'ordinal']);
	}
}
