import { sql } from '../kysely';
import type { AnyDatabase } from '../sql/compiled-statement-cache';
import { SchemaBuilder, type SchemaDialect } from './schema-builder';

/** Adds an index that finds permanently refused answers without reading all requests. */
export async function up(db: AnyDatabase, dialect: SchemaDialect): Promise<void> {
	const column = 'c_delivery_failure';
	await db.schema.alterTable('requests').addColumn(column, dialect.text).execute();
	await new SchemaBuilder(db, dialect).sparseIndex('requests', column, false);
	// Any code is enough for the index; the next change of the record writes the right one.
	await sql`update requests set c_delivery_failure = 'error'
		where c_status = 'Decided' and document like '%"deliveryFailure":{%'`.execute(db);
}
