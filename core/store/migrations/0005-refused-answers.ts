import { sql } from 'kysely';
import type { AnyDatabase } from '../statement-book';
import { SchemaBuilder, type SchemaDialect } from './schema-builder';

/** Answers that were refused for good are found without reading all requests. */
export async function up(db: AnyDatabase, dialect: SchemaDialect): Promise<void> {
	const column = 'c_delivery_failure';
	await db.schema.alterTable('requests').addColumn(column, dialect.text).execute();
	await new SchemaBuilder(db, dialect).sparseIndex('requests', column, false);
	// That there is a code is enough to find them; the right one comes with the next change of the record.
	await sql`update requests set c_delivery_failure = 'error'
		where c_status = 'Decided' and document like '%"deliveryFailure":{%'`.execute(db);
}
