import type { AnyDatabase } from '../sql/compiled-statement-cache';
import { SchemaBuilder, type SchemaDialect } from './schema-builder';

/** Adds the age to the indexes of handled rows, so that housekeeping reads few rows. */
export async function up(db: AnyDatabase, dialect: SchemaDialect): Promise<void> {
	const builder = new SchemaBuilder(db, dialect);
	for (const table of ['inbox', 'send_intents']) {
		await db.schema.dropIndex(`${table}_by_state`).execute();
		await builder.index(table, ['c_state', 'c_created_at']);
	}
}
