import type { AnyDatabase } from '../sql/compiled-statement-cache';
import { SchemaBuilder, type IndexedTable, type SchemaDialect } from './schema-builder';

/** Indexes by which a page of a list costs the same in an account of any size. */
const added: readonly IndexedTable[] = [
	{
		table: 'messages',
		indexes: [['c_is_own'], ['c_is_own', 'c_created_at'], ['c_is_own', 'c_was_read_at']],
		prefixIndexes: ['c_content_type', 'c_subject'],
		indexStatistics: [
			[['c_is_own'], [1_000]],
			[
				['c_is_own', 'c_created_at'],
				[1_000, 1],
			],
			[
				['c_is_own', 'c_was_read_at'],
				[1_000, 900],
			],
		],
	},
	{
		table: 'attributes',
		indexes: [['c_value_type'], ['c_value_type', 'c_owner', 'c_peer'], ['c_canonical_value']],
		indexStatistics: [
			[['c_value_type'], [100]],
			[
				['c_value_type', 'c_owner', 'c_peer'],
				[100, 50, 25],
			],
			[['c_canonical_value'], [2]],
		],
	},
	{ table: 'requests', indexes: [['c_is_own']], indexStatistics: [[['c_is_own'], [1_000]]] },
	{
		table: 'templates',
		indexes: [['c_is_own'], ['c_created_at']],
		sparseIndexes: ['c_expires_at'],
		indexStatistics: [[['c_is_own'], [1_000]]],
	},
	...['files', 'tokens'].map((table) => ({
		table,
		indexes: [['c_is_own'], ['c_created_at'], ['c_expires_at']],
		indexStatistics: [[['c_is_own'], [1_000]]] as const,
	})),
];

/** Indexes of earlier versions by which lists are read in order of insertion. */
const kept: readonly IndexedTable[] = [
	{
		table: 'messages',
		indexes: [['c_created_by'], ['c_created_at']],
	},
	{
		table: 'attributes',
		indexes: [['c_owner', 'c_peer'], ['c_created_at']],
		sparseIndexes: ['c_key', 'c_peer', 'c_third_party_address'],
	},
	{
		table: 'requests',
		indexes: [
			['c_is_own', 'c_status'],
			['c_is_own', 'c_created_at'],
		],
		sparseIndexes: ['c_peer', 'c_source_reference'],
	},
	{ table: 'relationships', indexes: [['c_peer'], ['c_template_id'], ['c_status']] },
];

/**
 * Adds indexes for lists. In PostgreSQL all of them end with the order of insertion, which indexes
 * of SQLite contain anyway.
 */
export async function up(db: AnyDatabase, dialect: SchemaDialect): Promise<void> {
	const builder = new SchemaBuilder(db, dialect);
	await builder.dropIndex('attributes', ['c_value_type', 'c_owner', 'c_canonical_value']);
	for (const indexed of added) await builder.orderedIndexes(indexed);
	await builder.addIndexStatistics(added);
	if (dialect.indexesHoldOrder) return;
	for (const indexed of kept) {
		const { table, indexes = [], sparseIndexes = [] } = indexed;
		for (const columns of indexes) await builder.dropIndex(table, columns);
		for (const column of sparseIndexes) await builder.dropIndex(table, [column]);
		await builder.orderedIndexes(indexed);
	}
}
