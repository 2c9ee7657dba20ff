import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dumpPostgresSchema } from '../../core/store/schema/schema-dump';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';

const file = join(__dirname, '../../core/store/schema/released-postgres.txt');

describeWithPostgres('new accounts', () => {
	it('have the released schema in PostgreSQL', async () => {
		const database = await TestDatabase.create();
		try {
			const released = readFileSync(file, 'utf8');
			expect(await dumpPostgresSchema(database)).toEqual(released.trimEnd().split('\n'));
		} finally {
			await database.drop();
		}
	});
});
