import type { Kysely } from 'kysely';
import { collections, columnName, isValues, valuesTable } from '../collections';
import type { ColumnDeclaration } from '../collections';

/** Differences between the backends that a migration has to know. */
export interface MigrationDialect {
	/** adds the column that numbers rows in order of insertion */
	readonly ordinalType: 'integer' | 'bigserial';
}

type AnyDatabase = Kysely<Record<string, Record<string, unknown>>>;

/** The first schema: one table per collection, side tables for values, and the account's own tables. */
export async function up(db: AnyDatabase, dialect: MigrationDialect): Promise<void> {
	for (const declaration of Object.values(collections))
		await createCollection(db, declaration, dialect);
	await db.schema
		.createTable('account')
		.addColumn('name', 'text', (column) => column.primaryKey())
		.addColumn('value', 'text', (column) => column.notNull())
		.execute();
	await db.schema
		.createTable('counters')
		.addColumn('name', 'text', (column) => column.primaryKey())
		.addColumn('next', 'bigint', (column) => column.notNull())
		.execute();
	await db.schema
		.createTable('leases')
		.addColumn('name', 'text', (column) => column.primaryKey())
		.addColumn('holder', 'text', (column) => column.notNull())
		.addColumn('expires_at', 'bigint', (column) => column.notNull())
		.execute();
	await createEvents(db);
}

async function createCollection(
	db: AnyDatabase,
	declaration: { table: string; columns: object; secrets?: unknown },
	dialect: MigrationDialect,
): Promise<void> {
	const { table } = declaration;
	const columns = Object.entries(declaration.columns) as Array<
		[string, ColumnDeclaration<never> | { values: never }]
	>;
	let builder = db.schema
		.createTable(table)
		.addColumn('ordinal', dialect.ordinalType, (column) =>
			dialect.ordinalType === 'integer' ? column.primaryKey().autoIncrement() : column.primaryKey(),
		)
		.addColumn('id', 'text', (column) => column.notNull().unique())
		.addColumn('document', 'text', (column) => column.notNull())
		.addColumn('secrets', 'text');
	for (const [field, column] of columns) {
		if (isValues(column)) continue;
		builder = builder.addColumn(
			columnName(field),
			column.type === 'text' ? 'text' : 'integer',
			(added) => (column.unique === true ? added.unique() : added),
		);
	}
	await builder.execute();
	for (const [field, column] of columns) {
		if (isValues(column)) await createValues(db, table, field);
		else if (column.indexed === true) {
			await db.schema
				.createIndex(`${table}_by_${columnName(field).slice(2)}`)
				.on(table)
				.column(columnName(field))
				.execute();
		}
	}
}

async function createValues(db: AnyDatabase, table: string, field: string): Promise<void> {
	const name = valuesTable(table, field);
	await db.schema
		.createTable(name)
		.addColumn('id', 'text', (column) =>
			column.notNull().references(`${table}.id`).onDelete('cascade'),
		)
		.addColumn('value', 'text', (column) => column.notNull())
		.execute();
	await db.schema.createIndex(`${name}_by_id`).on(name).column('id').execute();
	await db.schema.createIndex(`${name}_by_value`).on(name).columns(['value', 'id']).execute();
}

async function createEvents(db: AnyDatabase): Promise<void> {
	await db.schema
		.createTable('outbox')
		.addColumn('sequence', 'bigint', (column) => column.primaryKey())
		.addColumn('name', 'text', (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('peer', 'text')
		.addColumn('subject', 'text')
		.addColumn('data', 'text', (column) => column.notNull())
		.execute();
	await db.schema.createIndex('outbox_by_subject').on('outbox').column('subject').execute();
	await db.schema
		.createTable('consumers')
		.addColumn('name', 'text', (column) => column.primaryKey())
		.addColumn('document', 'text', (column) => column.notNull())
		.execute();
}
