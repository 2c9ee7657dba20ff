import { sql, type CreateTableBuilder, type RawBuilder } from 'kysely';
import type { AnyDatabase } from '../statement-book';

/** Where the backends' column types differ. */
export interface SchemaDialect {
	/** numbers rows in order of insertion */
	readonly ordinal: 'integer' | 'bigserial';
	/** compared and ordered byte by byte, whatever the language of the database is */
	readonly text: 'text' | RawBuilder<unknown>;
	/** any number of JavaScript, so that comparing with any other answers instead of failing */
	readonly number: 'integer' | 'double precision';
	/** SQLite keeps a second tree for every primary key that is not spelled `integer` */
	readonly bigKey: 'integer' | 'bigint';
	/** written after a table whose primary key is all there is to find its rows by */
	readonly keyedTable: 'without rowid' | '';
	/** the planner knows only what it is told of the rows behind an index; others count them */
	readonly isToldOfRows?: true;
}

export const sqliteSchema: SchemaDialect = {
	ordinal: 'integer',
	text: 'text',
	number: 'integer',
	bigKey: 'integer',
	keyedTable: 'without rowid',
	isToldOfRows: true,
};

export const postgresSchema: SchemaDialect = {
	ordinal: 'bigserial',
	text: sql`text collate "C"`,
	number: 'double precision',
	bigKey: 'bigint',
	keyedTable: '',
};

export interface CollectionTable {
	readonly table: string;
	readonly text?: readonly string[];
	readonly integers?: readonly string[];
	readonly flags?: readonly string[];
	readonly unique?: readonly string[];
	/** columns of each index; every index is one more page to write for each row */
	readonly indexes?: ReadonlyArray<readonly string[]>;
	/** of ten thousand rows, how many have one value of the first column, of the first two, and so on */
	readonly rowsBehind?: ReadonlyArray<
		readonly [columns: readonly string[], rows: readonly number[]]
	>;
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
		const { ordinal, text, number } = this.dialect;
		let builder: CreateTableBuilder<string, string> = this.db.schema
			.createTable(spec.table)
			.addColumn('ordinal', ordinal, (column) => column.primaryKey())
			.addColumn('id', text, (column) => column.notNull().unique())
			.addColumn('document', text, (column) => column.notNull())
			.addColumn('secrets', text);
		for (const name of spec.text ?? []) builder = builder.addColumn(name, text);
		for (const name of spec.integers ?? []) builder = builder.addColumn(name, number);
		for (const name of spec.flags ?? []) builder = builder.addColumn(name, 'integer');
		await builder.execute();
		for (const columns of spec.indexes ?? []) await this.index(spec.table, columns);
		for (const name of spec.sparseIndexes ?? []) await this.sparseIndex(spec.table, name, false);
		for (const name of spec.unique ?? []) await this.sparseIndex(spec.table, name, true);
		if (spec.values === true) await this.values(spec.table);
	}

	/**
	 * Without numbers SQLite takes every column of an index for equally selective, and would read all
	 * attributes of one owner to find the few of one type: their order comes for free. Never counted
	 * again: plans stay the same whatever a store holds.
	 */
	async tellRowsBehind(tables: readonly CollectionTable[]): Promise<void> {
		if (this.dialect.isToldOfRows !== true) return;
		await sql`analyze`.execute(this.db);
		for (const { table, rowsBehind = [] } of tables) {
			for (const [columns, rows] of rowsBehind) {
				const numbers = [countedRows, ...rows].join(' ');
				await sql`insert into sqlite_stat1 (tbl, idx, stat)
					values (${sql.lit(table)}, ${sql.lit(indexName(table, columns))}, ${sql.lit(numbers)})`.execute(
					this.db,
				);
			}
		}
		await sql`analyze sqlite_schema`.execute(this.db);
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
			.addColumn('field', this.dialect.text, (column) => column.notNull())
			.addColumn('value', this.dialect.text, (column) => column.notNull())
			.addColumn('ordinal', 'bigint', (column) =>
				column.notNull().references(`${table}.ordinal`).onDelete('cascade'),
			)
			.addPrimaryKeyConstraint(`${side}_key`, ['field', 'value', 'ordinal'])
			.modifyEnd(sql.raw(this.dialect.keyedTable))
			.execute();
		await this.index(side, ['ordinal']);
	}
}

const countedRows = 10_000;

function indexName(table: string, columns: readonly string[]): string {
	return `${table}_by_${columns.join('_').replaceAll('c_', '')}`;
}
