import type { AnyDatabase } from '../statement-book';
import { SchemaBuilder, type SchemaDialect } from './schema-builder';

/** External events that failed are found by what they are about. */
export async function up(db: AnyDatabase, dialect: SchemaDialect): Promise<void> {
	await db.schema.alterTable('inbox').addColumn('c_failed_subject', dialect.text).execute();
	await new SchemaBuilder(db, dialect).sparseIndex('inbox', 'c_failed_subject', false);
}
