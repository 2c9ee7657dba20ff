import { Migrator, type Migration } from 'kysely/migration';
import { sleep } from '../base/abort';
import type { AnyDatabase } from './collection-statements';
import * as initial from './migrations/0001-initial';
import type { MigrationDialect } from './migrations/0001-initial';

/** Steps are only ever added; a released one never changes. */
const steps = { '0001-initial': initial } as const;

/** Kept where it can be read without the migrator, so that an up-to-date store opens quickly. */
export const schemaVersion = Object.keys(steps).length;

/** Applies what is missing, under the backend's lock. */
export async function migrate(db: AnyDatabase, dialect: MigrationDialect): Promise<void> {
	const migrations = Object.fromEntries(
		Object.entries(steps).map(([name, step]): [string, Migration] => [
			name,
			{ up: (target) => step.up(target as AnyDatabase, dialect) },
		]),
	);
	const migrator = new Migrator({
		db,
		provider: { getMigrations: () => Promise.resolve(migrations) },
	});
	// Another process may be doing the same to a fresh file: whoever comes second finds it done.
	for (let tries = 1; ; tries++) {
		const { error } = await migrator.migrateToLatest();
		if (error === undefined) return;
		if (tries === 10) throw error as Error;
		await sleep(tries * 50);
	}
}
