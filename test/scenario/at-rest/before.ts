import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { canonicalJson } from '../../../core/base/canonical-json';
import { openText, storeKeyFromFile } from '../../../core/crypto/sealing';
import { withoutFlatLists } from '../../support/accounts/earlier-indexes';

/** Leaves an account in SQLite as the schema version before the sealing has: everything in clear. */
export function bringBack(folder: string): void {
	const key = storeKeyFromFile(readFileSync(join(folder, 'default.key')));
	const db = new DatabaseSync(join(folder, 'default.sqlite'));
	const rowsOf = (sql: string): Array<Record<string, string>> => db.prepare(sql).all() as never[];
	const tables = rowsOf(`select m.name as name from sqlite_schema as m
		where exists (select 1 from pragma_table_info(m.name) where name = 'document')
			and exists (select 1 from pragma_table_info(m.name) where name = 'id')`);
	const sealed = "not like '{%'";
	for (const { name: table = '' } of tables) {
		for (const { id = '', document = '' } of rowsOf(
			`select id, document from ${table} where document ${sealed}`,
		)) {
			const json = openText(key, document, { table, id, part: 'document' });
			db.prepare(`update ${table} set document = ? where id = ?`).run(json, id);
			const { content = {} } = JSON.parse(json) as { content?: Record<string, string> };
			if (table === 'messages' && content['body'] !== undefined) {
				const texts = [content['subject'] ?? '', content['body'], id];
				db.prepare('update messages set c_subject = ?, c_body = ? where id = ?').run(...texts);
			}
			if (table === 'attributes') {
				const value = canonicalJson(content['value'] ?? null);
				db.prepare('update attributes set c_canonical_value = ? where id = ?').run(value, id);
			}
		}
	}
	for (const { sequence = '', data = '' } of rowsOf(
		`select sequence, data from outbox where data ${sealed}`,
	)) {
		const place = { table: 'outbox', id: String(sequence), part: 'document' } as const;
		db.prepare('update outbox set data = ? where sequence = ?').run(
			openText(key, data, place),
			sequence,
		);
	}
	db.exec(
		`${withoutFlatLists()}; drop index relationships_by_status;
		delete from attributes_values where field like 'contact%';
		drop table waits; delete from kysely_migration where name >= '0006'; pragma user_version = 5`,
	);
	db.close();
}
