import type { AnyDatabase } from '../statement-book';
import { SchemaBuilder, type SchemaDialect } from './schema-builder';

/** Handled rows are found by their age as well as by their state, so that housekeeping reads few. */
export async function up(db: AnyDatabase, dialect: SchemaDialect): Promise<void> {
	const builder = new SchemaBuilder(db, dialect);
	for (const table of ['inbox', 'send_intents']) {
		await db.schema.dropIndex(`${table}_by_state`).execute();
		await builder.index(table, ['c_state', 'c_created_at']);
	}
}
