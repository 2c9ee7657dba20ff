import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestDatabase } from '../../support/postgres/postgres';

/** Every value of every row, and every byte of the files, also of removed rows. */
export function dumpSqlite(folder: string): string[] {
	const files = readdirSync(folder);
	const file = files.find((name) => name.endsWith('.sqlite')) ?? '';
	const db = new DatabaseSync(join(folder, file), { readOnly: true });
	try {
		const tables = db.prepare("select name from sqlite_schema where type = 'table'").all();
		const values = tables.flatMap(({ name }) =>
			valuesOf(db.prepare(`select * from "${String(name)}"`).all()),
		);
		const written = files.filter((name) => name.startsWith(file));
		return [...values, ...written.map((name) => readFileSync(join(folder, name), 'latin1'))];
	} finally {
		db.close();
	}
}

/** Every value of every row of a schema. */
export async function dumpPostgres(database: TestDatabase): Promise<string[]> {
	const tables = await database.query<{ name: string }>(
		"select tablename as name from pg_tables where schemaname = 'enmeshed'",
	);
	const values: string[] = [];
	for (const { name } of tables) {
		values.push(...valuesOf(await database.query(`select * from enmeshed."${name}"`)));
	}
	return values;
}

const valuesOf = (rows: readonly object[]): string[] =>
	rows.flatMap((row) => Object.values(row).map(String));

/** What of it stands somewhere in a dump. Ownership tokens may contain quotation marks and backslashes. */
export function foundIn(
	dump: readonly string[],
	written: Readonly<Record<string, string>>,
): string[] {
	const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
	return Object.entries(written)
		.filter(([, text]) => dump.some((value) => value.includes(inJson(text))))
		.map(([what]) => what)
		.sort();
}
