import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Looks into the file of an account past the store. */
export function accountFile(folder: string): { count(sql: string): number } {
	return {
		/** @param sql with one column `n` in one row */
		count(sql) {
			const database = new DatabaseSync(join(folder, 'default.sqlite'), { readOnly: true });
			try {
				return Number(database.prepare(sql).get()?.['n']);
			} finally {
				database.close();
			}
		},
	};
}
