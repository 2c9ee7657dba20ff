import type { AnyDatabase } from '../sql/compiled-statement-cache';
import { SchemaBuilder, type SchemaDialect } from './schema-builder';

/**
 * Adds an index that finds contacts by status. Contacts are also found by texts of their attributes,
 * which `addContactTexts` writes for earlier attributes, because it has the key.
 */
export async function up(db: AnyDatabase, dialect: SchemaDialect): Promise<void> {
	const builder = new SchemaBuilder(db, dialect);
	await builder.index('relationships', ['c_status']);
	await builder.addIndexStatistics([
		{ table: 'relationships', indexStatistics: [[['c_status'], [1_000]]] },
	]);
}
