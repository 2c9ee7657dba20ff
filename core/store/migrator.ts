import { Migrator, type Migration } from 'kysely/migration';
import * as initial from './migrations/0001-initial';
import * as eventCorrelation from './migrations/0002-event-correlation';
import * as failedEvents from './migrations/0003-failed-events';
import * as retention from './migrations/0004-retention';
import * as refusedAnswers from './migrations/0005-refused-answers';
import * as sealedTexts from './migrations/0006-sealed-texts';
import type { SchemaDialect } from './migrations/schema-builder';
import type { AnyDatabase } from './statement-book';

/** Steps are only ever added; a released one never changes. */
const steps = {
	'0001-initial': initial,
	'0002-event-correlation': eventCorrelation,
	'0003-failed-events': failedEvents,
	'0004-retention': retention,
	'0005-refused-answers': refusedAnswers,
	'0006-sealed-texts': sealedTexts,
} as const;

/** Kept where it can be read without the migrator, so that an up-to-date store opens quickly. */
export const schemaVersion = Object.keys(steps).length;

/**
 * Applies what is missing, inside the caller's transaction, which also keeps other processes out.
 * The whole of it is there or nothing, whenever the process dies.
 */
export async function migrate(
	db: AnyDatabase,
	dialect: SchemaDialect,
	/** where several accounts share a database */
	schema?: string,
): Promise<void> {
	const migrations = Object.fromEntries(
		Object.entries(steps).map(([name, step]): [string, Migration] => [
			name,
			{ up: (target) => step.up(target as AnyDatabase, dialect) },
		]),
	);
	const migrator = new Migrator({
		db,
		provider: { getMigrations: () => Promise.resolve(migrations) },
		disableTransactions: true,
		...(schema === undefined ? {} : { migrationTableSchema: schema }),
	});
	const { error } = await migrator.migrateToLatest();
	if (error !== undefined) throw error as Error;
}
