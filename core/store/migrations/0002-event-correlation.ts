import type { AnyDatabase } from '../sql/compiled-statement-cache';

/** Adds the id of the request or sync that caused an event. */
export async function up(db: AnyDatabase): Promise<void> {
	await db.schema.alterTable('outbox').addColumn('correlation_id', 'text').execute();
}
