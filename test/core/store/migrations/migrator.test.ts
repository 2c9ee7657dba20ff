import { DatabaseSync } from 'node:sqlite';
import { migrate, schemaVersion } from '../../../../core/store/migrations/migrator';
import { sqliteSchema } from '../../../../core/store/migrations/schema-builder';
import { SqliteConnection } from '../../../../core/store/sqlite/sqlite-connection';
import { queryBuilder } from '../../../../core/store/sqlite/sqlite-dialect';

describe('the migrator', () => {
	let database: DatabaseSync;

	beforeEach(() => {
		database = new DatabaseSync(':memory:');
	});

	afterEach(() => {
		database.close();
	});

	const run = () => migrate(queryBuilder(new SqliteConnection(database)), sqliteSchema);
	const steps = () =>
		database
			.prepare('select name from kysely_migration order by name')
			.all()
			.map(({ name }) => name);

	it('applies each step once, in order', async () => {
		await run();
		const applied = steps();
		expect(applied).toHaveLength(schemaVersion);
		expect(applied.map((name) => String(name).slice(0, 4))).toEqual(
			applied.map((_, index) => String(index + 1).padStart(4, '0')),
		);
		await run();
		expect(steps()).toEqual(applied);
	});

	it('fails with the failure of a step', async () => {
		database.exec('create table messages (id text)');
		await expect(run()).rejects.toThrow('table "messages" already exists');
	});
});
