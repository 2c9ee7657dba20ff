import type { AnyDatabase } from '../statement-book';

/** Events remember which request or sync they come from. */
export async function up(db: AnyDatabase): Promise<void> {
	await db.schema.alterTable('outbox').addColumn('correlation_id', 'text').execute();
}
