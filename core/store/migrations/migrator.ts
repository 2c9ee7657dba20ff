import { Migrator, type Migration } from '../kysely';
import * as initial from './0001-initial';
import * as eventCorrelation from './0002-event-correlation';
import * as failedEvents from './0003-failed-events';
import * as retention from './0004-retention';
import * as refusedAnswers from './0005-refused-answers';
import * as sealedTexts from './0006-sealed-texts';
import * as waits from './0007-waits';
import * as contacts from './0008-contacts';
import * as flatLists from './0009-flat-lists';
import * as messageIdentities from './0010-message-identities';
import type { SchemaDialect } from './schema-builder';
import type { AnyDatabase } from '../sql/compiled-statement-cache';

/** Migration steps. New steps are appended; a released step never changes. */
const steps = {
	'0001-initial': initial,
	'0002-event-correlation': eventCorrelation,
	'0003-failed-events': failedEvents,
	'0004-retention': retention,
	'0005-refused-answers': refusedAnswers,
	'0006-sealed-texts': sealedTexts,
	'0007-waits': waits,
	'0008-contacts': contacts,
	'0009-flat-lists': flatLists,
	'0010-message-identities': messageIdentities,
} as const;

/**
 * Current schema version, readable without the migrator, so that an up-to-date store opens quickly.
 */
export const schemaVersion = Object.keys(steps).length;

/**
 * Applies missing steps inside the caller's transaction, which also excludes other processes. If
 * the process dies meanwhile, either all steps are applied or none.
 */
export async function migrate(
	db: AnyDatabase,
	dialect: SchemaDialect,
	/** schema of the account where several accounts share a database */
	schema?: string,
): Promise<void> {
	const migrations = Object.fromEntries(
		Object.entries(steps).map(([name, step]): [string, Migration] => [
			name,
			{ up: (target) => step.up(target, dialect) },
		]),
	);
	const migrator = new Migrator({
		db,
		provider: { getMigrations: () => Promise.resolve(migrations) },
		disableTransactions: true,
		...(schema === undefined ? {} : { migrationTableSchema: schema }),
	});
	const { error } = await migrator.migrateToLatest();
	if (error !== undefined) throw error;
}
