import { sql, type CreateTableBuilder } from 'kysely';
import type { AnyDatabase } from '../statement-book';

/** Where the backends' column types differ. */
export interface SchemaDialect {
	/** numbers rows in order of insertion */
	readonly ordinal: 'integer' | 'bigserial';
	/** holds the text of a JSON document unchanged */
	readonly json: 'text' | 'json';
	readonly flag: 'integer' | 'boolean';
	/** SQLite keeps a second tree for every primary key that is not spelled `integer` */
	readonly bigKey: 'integer' | 'bigint';
	/** written after a table whose primary key is all there is to find its rows by */
	readonly keyedTable: 'without rowid' | '';
}

export const sqliteSchema: SchemaDialect = {
	ordinal: 'integer',
	json: 'text',
	flag: 'integer',
	bigKey: 'integer',
	keyedTable: 'without rowid',
};

export interface CollectionTable {
	readonly table: string;
	readonly text?: readonly string[];
	readonly integers?: readonly string[];
	readonly flags?: readonly string[];
	readonly unique?: readonly string[];
	/** columns of each index; every index is one more page to write for each row */
	readonly indexes?: ReadonlyArray<readonly string[]>;
	/** indexed where they are present: rows without them cost nothing */
	readonly sparseIndexes?: readonly string[];
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
			.addColumn('ordinal', ordinal, (column) => column.primaryKey())
			.addColumn('id', 'text', (column) => column.notNull().unique())
			.addColumn('document', json, (column) => column.notNull())
			.addColumn('secrets', 'text');
		for (const name of spec.text ?? []) builder = builder.addColumn(name, 'text');
		for (const name of spec.integers ?? []) builder = builder.addColumn(name, 'integer');
		for (const name of spec.flags ?? []) builder = builder.addColumn(name, flag);
		await builder.execute();
		for (const columns of spec.indexes ?? []) await this.index(spec.table, columns);
		for (const name of spec.sparseIndexes ?? []) await this.sparseIndex(spec.table, name, false);
		for (const name of spec.unique ?? []) await this.sparseIndex(spec.table, name, true);
		if (spec.values === true) await this.values(spec.table);
	}

	async index(table: string, columns: readonly string[]): Promise<void> {
		await this.db.schema
			.createIndex(indexName(table, columns))
			.on(table)
			.columns([...columns])
			.execute();
	}

	/** A statement with `column = ?` or `column is not null` finds its rows through it. */
	async sparseIndex(table: string, column: string, isUnique: boolean): Promise<void> {
		await this.db.schema
			.createIndex(indexName(table, [column]))
			.on(table)
			.column(column)
			.where(column, 'is not', null)
			.$call((builder) => (isUnique ? builder.unique() : builder))
			.execute();
	}

	private async values(table: string): Promise<void> {
		const side = `${table}_values`;
		await this.db.schema
			.createTable(side)
			.addColumn('field', 'text', (column) => column.notNull())
			.addColumn('value', 'text', (column) => column.notNull())
			.addColumn('ordinal', 'bigint', (column) =>
				column.notNull().references(`${table}.ordinal`).onDelete('cascade'),
			)
			.addPrimaryKeyConstraint(`${side}_key`, ['field', 'value', 'ordinal'])
			.modifyEnd(sql.raw(this.dialect.keyedTable))
			.execute();
		await this.index(side, ['ordinal']);
	}
}

function indexName(table: string, columns: readonly string[]): string {
	return `${table}_by_${columns.join('_').replaceAll('c_', '')}`;
}
