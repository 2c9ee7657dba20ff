import { sql, type CreateTableBuilder, type RawBuilder } from '../kysely';
import type { AnyCollection } from '../collections/collection-declaration';
import { collections, columnName, isValues } from '../collections/collections';
import type { AnyDatabase } from '../sql/compiled-statement-cache';
import type { SchemaDialect } from './schema-dialect';

/** Creates the tables of a new account: one per collection, and the account's own. */
export async function createTables(db: AnyDatabase, dialect: SchemaDialect): Promise<void> {
	const declared = Object.values<AnyCollection>(collections);
	for (const collection of declared) await createCollection(db, dialect, collection);
	await createOwnTables(db, dialect);
	if (dialect.needsIndexStatistics) await writeIndexStatistics(db, declared);
}

async function createCollection(
	db: AnyDatabase,
	dialect: SchemaDialect,
	{ table, columns, indexes = {} }: AnyCollection,
): Promise<void> {
	const types = { text: dialect.text, integer: dialect.number, boolean: 'integer' } as const;
	let builder: CreateTableBuilder<string, string> = db.schema
		.createTable(table)
		.addColumn('ordinal', dialect.ordinal, (column) => column.primaryKey())
		.addColumn('id', dialect.text, (column) => column.notNull().unique());
	for (const [field, column] of Object.entries(columns)) {
		if (!isValues(column)) builder = builder.addColumn(columnName(field), types[column.type]);
	}
	await builder.execute();
	// Apart from the columns, so that a search that no index answers reads little.
	await db.schema
		.createTable(`${table}_documents`)
		.addColumn('ordinal', dialect.bigKey, (column) =>
			column.primaryKey().references(`${table}.ordinal`).onDelete('cascade'),
		)
		.addColumn('document', dialect.text, (column) => column.notNull())
		.addColumn('secrets', dialect.text)
		.execute();
	for (const { fields, without } of indexes.all ?? []) {
		const rows =
			without === undefined ? sql`` : sql` where ${sql.ref(columnName(without))} is null`;
		await createIndex(db, dialect, {
			table,
			fields,
			rows,
			name: indexName(table, fields, without),
		});
	}
	for (const kind of ['sparse', 'unique'] as const) {
		for (const field of indexes[kind] ?? []) {
			const rows = sql` where ${sql.ref(columnName(field))} is not null`;
			const isUnique = kind === 'unique';
			const name = indexName(table, [field]);
			await createIndex(db, dialect, { table, fields: [field], rows, name, isUnique });
		}
	}
	if (Object.values(columns).some(isValues)) await createValues(db, dialect, table);
}

interface NewIndex {
	readonly table: string;
	readonly fields: readonly string[];
	readonly name: string;
	/** condition of its rows */
	readonly rows: RawBuilder<unknown>;
	readonly isUnique?: boolean;
}

/** Creates an index that, unless it finds single rows, ends with the order of insertion. */
async function createIndex(
	db: AnyDatabase,
	{ indexesHoldOrder }: SchemaDialect,
	{ table, fields, name, rows, isUnique = false }: NewIndex,
): Promise<void> {
	const indexed = fields.map((field) => sql.ref(columnName(field)));
	const all = isUnique || indexesHoldOrder ? indexed : [...indexed, sql.ref('ordinal')];
	await sql`create ${isUnique ? sql`unique ` : sql``}index ${sql.ref(name)}
		on ${sql.table(table)} (${sql.join(all)})${rows}`.execute(db);
}

/**
 * Creates the side table of fields with several values, which has the rows of one value by time.
 */
async function createValues(db: AnyDatabase, dialect: SchemaDialect, table: string): Promise<void> {
	const side = `${table}_values`;
	await db.schema
		.createTable(side)
		.addColumn('field', dialect.text, (column) => column.notNull())
		.addColumn('value', dialect.text, (column) => column.notNull())
		.addColumn('created_at', dialect.text, (column) => column.notNull())
		.addColumn('ordinal', 'bigint', (column) =>
			column.notNull().references(`${table}.ordinal`).onDelete('cascade'),
		)
		.addPrimaryKeyConstraint(`${side}_key`, ['field', 'value', 'created_at', 'ordinal'])
		.modifyEnd(sql.raw(dialect.keyedTable))
		.execute();
	await db.schema.createIndex(`${side}_by_ordinal`).on(side).column('ordinal').execute();
}

async function createOwnTables(db: AnyDatabase, { text, bigKey }: SchemaDialect): Promise<void> {
	await db.schema
		.createTable('account')
		.addColumn('name', text, (column) => column.primaryKey())
		.addColumn('value', text, (column) => column.notNull())
		.execute();
	await db.schema
		.createTable('counters')
		.addColumn('name', text, (column) => column.primaryKey())
		.addColumn('next', 'bigint', (column) => column.notNull())
		.execute();
	await db.schema
		.createTable('leases')
		.addColumn('name', text, (column) => column.primaryKey())
		.addColumn('holder', text, (column) => column.notNull())
		.addColumn('expires_at', 'bigint', (column) => column.notNull())
		.addColumn('ttl_ms', 'bigint', (column) => column.notNull())
		.execute();
	await db.schema
		.createTable('outbox')
		.addColumn('sequence', bigKey, (column) => column.primaryKey())
		.addColumn('name', text, (column) => column.notNull())
		.addColumn('created_at', text, (column) => column.notNull())
		.addColumn('peer', text)
		.addColumn('subject', text)
		.addColumn('data', text, (column) => column.notNull())
		.addColumn('correlation_id', text)
		.execute();
	await db.schema
		.createTable('event_subjects')
		.addColumn('sequence', bigKey, (column) => column.primaryKey())
		.addColumn('subject', text)
		.execute();
	await db.schema
		.createIndex('event_subjects_by_subject')
		.on('event_subjects')
		.column('subject')
		.where('subject', 'is not', null)
		.execute();
	await db.schema
		.createTable('consumers')
		.addColumn('name', text, (column) => column.primaryKey())
		.addColumn('document', text, (column) => column.notNull())
		.execute();
}

const countedRows = 10_000;

/**
 * Writes index statistics for SQLite. Without them SQLite considers all columns of an index equally
 * selective: to find the few attributes of one type, it would read all attributes of one owner,
 * because the index already has their order. The statistics are never updated, so that plans stay
 * the same for any content of a store.
 */
async function writeIndexStatistics(
	db: AnyDatabase,
	declared: readonly AnyCollection[],
): Promise<void> {
	// Notes that the sparse indexes are empty, so SQLite prefers them: the rows with a value are few.
	await sql`analyze`.execute(db);
	for (const { table, indexes } of declared) {
		for (const { fields, rows, without } of indexes?.all ?? []) {
			if (rows === undefined) continue;
			const name = indexName(table, fields, without);
			const numbers = [countedRows, ...rows].join(' ');
			await sql`insert into sqlite_stat1 (tbl, idx, stat)
				values (${sql.lit(table)}, ${sql.lit(name)}, ${sql.lit(numbers)})`.execute(db);
		}
	}
	await sql`analyze sqlite_schema`.execute(db);
}

function indexName(table: string, fields: readonly string[], without?: string): string {
	const names = fields.map((field) => columnName(field).slice(2));
	const missing = without === undefined ? [] : ['without', columnName(without).slice(2)];
	return `${table}_by_${[...names, ...missing].join('_')}`;
}
