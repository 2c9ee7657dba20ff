import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dumpSqliteSchema } from './schema-dump';

/*
 * Released migrations never change: a new version of the schema adds lines to these files, and changes
 * only the lines that its own migration changes.
 */
it('the migrations make the released schema in SQLite', async () => {
	const released = readFileSync(join(__dirname, 'released-sqlite.txt'), 'utf8');
	expect(await dumpSqliteSchema()).toEqual(released.trimEnd().split('\n'));
});
