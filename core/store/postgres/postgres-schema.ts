import type { SqlExecutor } from '../sql/executor';
import { storeErrors } from '../store-errors';
import { quoted } from './postgres-settings';

const oldestServer = 13;
/** row of the account's table that identifies the schema as one of this package */
const mark = 'n8n-nodes-enmeshed schema';

/**
 * Checks the version and the encoding of the server.
 *
 * @throws `error.gateway.store.postgresUnsuitable`
 */
export async function requireFittingServer(executor: SqlExecutor): Promise<void> {
	const [row] = await executor.query<{ version: string; encoding: string }>(
		"select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
		[],
	);
	const major = Math.floor(Number(row?.version) / 10_000);
	if (!(major >= oldestServer)) {
		throw storeErrors.create('postgresUnsuitable', {
			message: `The server is PostgreSQL ${major}; version ${oldestServer} is the oldest that works.`,
			facts: { field: 'store.host', version: major },
		});
	}
	if (row?.encoding === 'UTF8') return;
	throw storeErrors.create('postgresUnsuitable', {
		message: `The database is encoded as ${row?.encoding}; only UTF8 holds every character.`,
		facts: { field: 'store.database' },
	});
}

/**
 * Reads the schema version; 0 while the account does not exist. A schema without tables counts as
 * 0, because an administrator may have created it for the account.
 *
 * @throws `error.gateway.store.foreignSchema`
 */
export async function versionOf(executor: SqlExecutor, schema: string): Promise<number> {
	const tables = await executor.query(
		`select 1 from pg_class where relnamespace = to_regnamespace($1)
			and relkind in ('r', 'p', 'v', 'm', 'f') limit 1`,
		[quoted(schema)],
	);
	if (tables.length === 0) return 0;
	const version = await markedVersion(executor, schema);
	if (version !== undefined) return version;
	throw storeErrors.create('foreignSchema', {
		message: `The schema '${schema}' holds tables that were not made by this package.`,
		facts: { field: 'store.schema' },
	});
}

async function markedVersion(executor: SqlExecutor, schema: string): Promise<number | undefined> {
	const [columns] = await executor.query<{ total: number }>(
		`select count(*) as total from pg_attribute where attrelid = to_regclass($1)
			and attname in ('name', 'value')`,
		[`${quoted(schema)}.account`],
	);
	if (columns?.total !== 2) return undefined;
	const [row] = await executor.query<{ value: string }>(
		`select value::text as value from ${quoted(schema)}.account where name::text = $1`,
		[mark],
	);
	return row === undefined ? undefined : Number(row.value);
}

/**
 * Creates the schema inside the transaction that creates the tables. Its function `folded` ignores
 * case like the rest of the store.
 */
export async function createSchema(executor: SqlExecutor, schema: string): Promise<void> {
	const [found] = await executor.query<{ exists: number; folding: number }>(
		`select (to_regnamespace($1) is not null)::int as exists,
			(select count(*) from pg_collation where collname = 'und-x-icu') as folding`,
		[quoted(schema)],
	);
	// An administrator can create an empty schema for a user who may not create schemas.
	if (found?.exists !== 1) await executor.change(`create schema ${quoted(schema)}`, []);
	const collation = (found?.folding ?? 0) > 0 ? ' collate "und-x-icu"' : '';
	await executor.change(
		`create function ${quoted(schema)}.folded(text) returns text
			language sql immutable strict parallel safe
			as $$ select pg_catalog.lower($1${collation}) $$`,
		[],
	);
}

export async function markVersion(executor: SqlExecutor, version: number): Promise<void> {
	await executor.change(
		'insert into account (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
		[mark, String(version)],
	);
}
