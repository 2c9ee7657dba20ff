import type { AnyDatabase } from '../sql/compiled-statement-cache';
import { SchemaBuilder, type SchemaDialect } from './schema-builder';

/** Adds an index that finds failed external events by their subject. */
export async function up(db: AnyDatabase, dialect: SchemaDialect): Promise<void> {
	await db.schema.alterTable('inbox').addColumn('c_failed_subject', dialect.text).execute();
	await new SchemaBuilder(db, dialect).sparseIndex('inbox', 'c_failed_subject', false);
}
