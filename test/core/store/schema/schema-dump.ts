import { DatabaseSync } from 'node:sqlite';
import type { TestDatabase } from '../../../support/postgres/postgres';
import { openMemoryStore } from '../../../support/store';

/** Lists the tables, indexes and index statistics of a new account in SQLite, one a line. */
export async function dumpSqliteSchema(): Promise<string[]> {
	const database = new DatabaseSync(':memory:');
	const store = await openMemoryStore(undefined, database);
	const lines = (sql: string): string[] =>
		database
			.prepare(sql)
			.all()
			.map(({ line }) => String(line).replace(/\s+/g, ' '));
	const made = [
		...lines(
			"select sql as line from sqlite_schema where sql is not null and name not like 'sqlite_%' order by name",
		),
		...lines(
			"select idx || ': ' || stat as line from sqlite_stat1 where stat like '10000 %' order by idx",
		),
	];
	await store.close();
	return made;
}

/** Lists the columns and indexes of a new account in PostgreSQL, one a line. */
export async function dumpPostgresSchema(database: TestDatabase): Promise<string[]> {
	const store = await database.open(database.account('default'));
	await store.close();
	const rows = await database.query<{ line: string }>(`
		select line from (
			select table_name || '.' || column_name || ' ' || data_type || coalesce(' ' || collation_name, '')
				|| coalesce(' default ' || column_default, '') || ' nullable ' || is_nullable as line
				from information_schema.columns where table_schema = 'enmeshed'
			union all select indexdef from pg_indexes where schemaname = 'enmeshed'
		) as lines order by line collate "C"`);
	return rows.map(({ line }) => line);
}
