import { sql, type CreateTableBuilder, type RawBuilder } from '../kysely';
import type { AnyDatabase } from '../sql/compiled-statement-cache';

/** Differences between the column types of the backends. */
export interface SchemaDialect {
	/** type of the key that numbers rows in order of insertion */
	readonly ordinal: 'integer' | 'bigserial';
	/** type of texts, which are compared and ordered byte by byte in any language of the database */
	readonly text: 'text' | RawBuilder<unknown>;
	/**
	 * type that holds any JavaScript number, so that a comparison with any other number never fails
	 */
	readonly number: 'integer' | 'double precision';
	/**
	 * Type of numeric primary keys: SQLite keeps a second tree for a primary key that is not spelled
	 * `integer`.
	 */
	readonly bigKey: 'integer' | 'bigint';
	/** suffix of a table whose rows are found only by their primary key */
	readonly keyedTable: 'without rowid' | '';
	/** true if every index also has the order of insertion */
	readonly indexesHoldOrder: boolean;
	/** true if the planner uses only stored index statistics; other databases gather their own */
	readonly needsIndexStatistics?: true;
}

export const sqliteSchema: SchemaDialect = {
	ordinal: 'integer',
	text: 'text',
	number: 'integer',
	bigKey: 'integer',
	keyedTable: 'without rowid',
	indexesHoldOrder: true,
	needsIndexStatistics: true,
};

export const postgresSchema: SchemaDialect = {
	ordinal: 'bigserial',
	text: sql`text collate "C"`,
	number: 'double precision',
	bigKey: 'bigint',
	keyedTable: '',
	indexesHoldOrder: false,
};

export interface CollectionTable {
	readonly table: string;
	readonly text?: readonly string[];
	readonly integers?: readonly string[];
	readonly flags?: readonly string[];
	readonly unique?: readonly string[];
	/** columns of each index; every index costs one more written page per row */
	readonly indexes?: ReadonlyArray<readonly string[]>;
	/**
	 * index statistics: of ten thousand rows, the number with one value of the first column, of the
	 * first two, and so on
	 */
	readonly indexStatistics?: ReadonlyArray<
		readonly [columns: readonly string[], rows: readonly number[]]
	>;
	/** columns whose index holds only rows with a value, so that rows without one cost nothing */
	readonly sparseIndexes?: readonly string[];
	/** true if fields with several values need a side table */
	readonly values?: boolean;
}

/** Table with indexes that yield the rows of one value in order of insertion. */
export interface IndexedTable extends Pick<
	CollectionTable,
	'table' | 'indexes' | 'sparseIndexes' | 'indexStatistics'
> {
	/** columns with an index of the first characters of their texts, of the rows with a value */
	readonly prefixIndexes?: readonly string[];
}

/** Creates the tables that every collection has; the migration supplies columns and indexes. */
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
	 * Writes index statistics for SQLite. Without them SQLite considers all columns of an index
	 * equally selective: to find the few attributes of one type, it would read all attributes of one
	 * owner, because the index already has their order. The statistics are never updated, so that
	 * plans stay the same for any content of a store.
	 */
	async writeIndexStatistics(tables: readonly CollectionTable[]): Promise<void> {
		if (this.dialect.needsIndexStatistics !== true) return;
		await sql`analyze`.execute(this.db);
		await this.addIndexStatistics(tables);
	}

	/** Writes the statistics of indexes that a later step adds. */
	async addIndexStatistics(
		tables: ReadonlyArray<Pick<CollectionTable, 'table' | 'indexStatistics'>>,
	): Promise<void> {
		if (this.dialect.needsIndexStatistics !== true) return;
		for (const { table, indexStatistics = [] } of tables) {
			for (const [columns, rows] of indexStatistics) {
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

	async dropIndex(table: string, columns: readonly string[]): Promise<void> {
		await this.db.schema.dropIndex(indexName(table, columns)).execute();
	}

	/** Creates indexes that end with the order of insertion. */
	async orderedIndexes(spec: IndexedTable): Promise<void> {
		const { table, indexes = [], sparseIndexes = [], prefixIndexes = [] } = spec;
		const end = this.dialect.indexesHoldOrder ? sql`` : sql`, ordinal`;
		for (const columns of indexes) {
			await sql`create index ${sql.ref(indexName(table, columns))} on ${sql.table(table)}
				(${sql.join(columns.map((column) => sql.ref(column)))}${end})`.execute(this.db);
		}
		const partial = [
			...sparseIndexes.map((column) => ({ column, indexed: sql.ref(column) })),
			...prefixIndexes.map((column) => ({
				column,
				indexed: sql`substr(${sql.ref(column)}, 1, ${sql.lit(prefixLength)})`,
			})),
		];
		for (const { column, indexed } of partial) {
			await sql`create index ${sql.ref(indexName(table, [column]))} on ${sql.table(table)}
				(${indexed}${end}) where ${sql.ref(column)} is not null`.execute(this.db);
		}
	}

	/** Creates an index for statements with `column = ?` or `column is not null`. */
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
/** number of characters in an index of the beginnings of texts */
const prefixLength = 64;

function indexName(table: string, columns: readonly string[]): string {
	return `${table}_by_${columns.join('_').replaceAll('c_', '')}`;
}
