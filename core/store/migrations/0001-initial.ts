import type { AnyDatabase } from '../sql/compiled-statement-cache';
import { SchemaBuilder, type CollectionTable, type SchemaDialect } from './schema-builder';

/** Copy of the declarations at the time of the release, because a released step never changes. */
const collectionTables: readonly CollectionTable[] = [
	{ table: 'identity', text: ['c_state'] },
	{
		table: 'attributes',
		text: [
			'c_created_at',
			'c_owner',
			'c_content_type',
			'c_value_type',
			'c_key',
			'c_confidentiality',
			'c_valid_from',
			'c_valid_to',
			'c_was_viewed_at',
			'c_peer',
			'c_request_reference',
			'c_notification_reference',
			'c_source_attribute',
			'c_third_party_address',
			'c_parent_id',
			'c_succeeds',
			'c_succeeded_by',
			'c_deletion_status',
			'c_deletion_date',
			'c_canonical_value',
		],
		flags: ['c_is_default', 'c_is_technical'],
		indexes: [
			['c_value_type', 'c_owner', 'c_canonical_value'],
			['c_owner', 'c_peer'],
			['c_created_at'],
		],
		indexStatistics: [
			[
				['c_value_type', 'c_owner', 'c_canonical_value'],
				[100, 50, 2],
			],
			[
				['c_owner', 'c_peer'],
				[1_000, 500],
			],
		],
		sparseIndexes: [
			'c_key',
			'c_confidentiality',
			'c_is_technical',
			'c_valid_from',
			'c_valid_to',
			'c_was_viewed_at',
			'c_peer',
			'c_request_reference',
			'c_notification_reference',
			'c_source_attribute',
			'c_third_party_address',
			'c_parent_id',
			'c_succeeds',
			'c_succeeded_by',
			'c_deletion_status',
			'c_deletion_date',
			'c_is_default',
		],
		values: true,
	},
	{
		table: 'attribute_listeners',
		text: ['c_peer', 'c_asked'],
		indexes: [['c_peer'], ['c_asked']],
	},
	{
		table: 'local_notifications',
		text: ['c_peer', 'c_created_at', 'c_status', 'c_received_by_device', 'c_source_reference'],
		flags: ['c_is_own'],
		indexes: [['c_peer'], ['c_status'], ['c_source_reference']],
	},
	{
		table: 'identity_metadata',
		text: ['c_reference', 'c_slot'],
		unique: ['c_slot'],
		indexes: [['c_reference']],
	},
	{
		table: 'settings',
		text: ['c_key', 'c_scope', 'c_reference', 'c_created_at', 'c_succeeds_item', 'c_succeeds_at'],
		indexes: [['c_key'], ['c_scope']],
		sparseIndexes: ['c_reference'],
	},
	{
		table: 'drafts',
		text: ['c_type', 'c_created_at', 'c_last_modified_at'],
		indexes: [['c_type']],
	},
	{
		table: 'requests',
		text: [
			'c_peer',
			'c_status',
			'c_created_at',
			'c_expires_at',
			'c_open_until',
			'c_pending',
			'c_not_before',
			'c_source_type',
			'c_source_reference',
			'c_response_created_at',
			'c_response_source_type',
			'c_response_source_reference',
			'c_response_result',
		],
		flags: ['c_is_own', 'c_was_automatically_decided'],
		indexes: [
			['c_is_own', 'c_status'],
			['c_is_own', 'c_created_at'],
		],
		indexStatistics: [
			[
				['c_is_own', 'c_status'],
				[5_000, 1_000],
			],
			[
				['c_is_own', 'c_created_at'],
				[5_000, 1],
			],
		],
		sparseIndexes: ['c_peer', 'c_source_reference', 'c_open_until', 'c_pending'],
		values: true,
	},
	{
		table: 'templates',
		text: [
			'c_created_at',
			'c_expires_at',
			'c_created_by',
			'c_created_by_device',
			'c_for_identity',
			'c_title',
			'c_template_key_id',
			'c_deleted_at',
		],
		integers: ['c_max_number_of_allocations'],
		flags: ['c_is_own'],
		indexes: [['c_template_key_id']],
		sparseIndexes: ['c_deleted_at'],
	},
	{
		table: 'relationships',
		text: ['c_peer', 'c_status', 'c_template_id', 'c_created_at', 'c_operation', 'c_not_before'],
		flags: ['c_created_by_us'],
		indexes: [['c_peer'], ['c_template_id']],
		sparseIndexes: ['c_operation'],
	},
	{
		table: 'relationship_intents',
		text: ['c_template_id'],
		indexes: [['c_template_id']],
	},
	{
		table: 'messages',
		text: [
			'c_created_by',
			'c_created_by_device',
			'c_created_at',
			'c_content_type',
			'c_subject',
			'c_body',
			'c_was_read_at',
		],
		flags: ['c_is_own'],
		indexes: [['c_created_by'], ['c_created_at']],
		values: true,
	},
	{
		table: 'send_intents',
		text: ['c_idempotency_key', 'c_state', 'c_created_at', 'c_not_before'],
		unique: ['c_idempotency_key'],
		indexes: [['c_state']],
	},
	{
		table: 'files',
		text: [
			'c_owner',
			'c_created_at',
			'c_created_by',
			'c_created_by_device',
			'c_expires_at',
			'c_filename',
			'c_mimetype',
			'c_title',
			'c_description',
			'c_ownership_token_hash',
			'c_idempotency_key',
		],
		integers: ['c_filesize'],
		flags: ['c_is_own', 'c_ownership_is_locked'],
		unique: ['c_idempotency_key'],
		values: true,
	},
	{
		table: 'tokens',
		text: ['c_created_at', 'c_created_by', 'c_created_by_device', 'c_expires_at', 'c_for_identity'],
		flags: ['c_is_own'],
	},
	{ table: 'deletion_processes', text: ['c_status'] },
	{ table: 'object_intents', text: ['c_not_before'] },
	{
		table: 'inbox',
		text: ['c_state', 'c_run_id', 'c_created_at', 'c_not_before'],
		indexes: [['c_state'], ['c_run_id']],
	},
	{ table: 'sync_state' },
];

/** Creates the first schema: one table per collection, and the account's own tables. */
export async function up(db: AnyDatabase, dialect: SchemaDialect): Promise<void> {
	const { text } = dialect;
	const builder = new SchemaBuilder(db, dialect);
	for (const table of collectionTables) await builder.collection(table);
	await db.schema
		.createTable('account')
		.addColumn('name', text, (column) => column.primaryKey())
		.addColumn('value', text, (column) => column.notNull())
		.execute();
	await db.schema
		.createTable('counters')
		.addColumn('name', text, (column) => column.primaryKey())
		.addColumn('next', 'bigint', (column) => column.notNull())
		.execute();
	await db.schema
		.createTable('leases')
		.addColumn('name', text, (column) => column.primaryKey())
		.addColumn('holder', text, (column) => column.notNull())
		.addColumn('expires_at', 'bigint', (column) => column.notNull())
		.addColumn('ttl_ms', 'bigint', (column) => column.notNull())
		.execute();
	await db.schema
		.createTable('outbox')
		.addColumn('sequence', dialect.bigKey, (column) => column.primaryKey())
		.addColumn('name', text, (column) => column.notNull())
		.addColumn('created_at', text, (column) => column.notNull())
		.addColumn('peer', text)
		.addColumn('subject', text)
		.addColumn('data', text, (column) => column.notNull())
		.execute();
	await db.schema
		.createTable('event_subjects')
		.addColumn('sequence', dialect.bigKey, (column) => column.primaryKey())
		.addColumn('subject', text)
		.execute();
	await builder.sparseIndex('event_subjects', 'subject', false);
	await builder.writeIndexStatistics(collectionTables);
	await db.schema
		.createTable('consumers')
		.addColumn('name', text, (column) => column.primaryKey())
		.addColumn('document', text, (column) => column.notNull())
		.execute();
}
