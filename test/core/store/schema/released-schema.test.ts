import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dumpSqliteSchema } from './schema-dump';

/*
 * A change of the declared tables changes these files, and after a release it needs a step in
 * `schema-version.ts` that changes the tables of existing accounts in the same way.
 */
it('new accounts have the released schema in SQLite', async () => {
	const released = readFileSync(join(__dirname, 'released-sqlite.txt'), 'utf8');
	expect(await dumpSqliteSchema()).toEqual(released.trimEnd().split('\n'));
});
