import type { AnyDatabase } from '../sql/compiled-statement-cache';
import { SchemaBuilder, type SchemaDialect } from './schema-builder';

/** Adds the executions that wait for a person. */
export async function up(db: AnyDatabase, dialect: SchemaDialect): Promise<void> {
	await new SchemaBuilder(db, dialect).collection({
		table: 'waits',
		text: ['c_peer', 'c_subject', 'c_due_at'],
		indexes: [['c_subject']],
		sparseIndexes: ['c_peer', 'c_due_at'],
	});
}
