import type { AnyDatabase } from '../sql/compiled-statement-cache';
import { storeErrors } from '../store-errors';
import type { SchemaDialect } from './schema-dialect';

/** Change of the tables of an existing account; new accounts get the declared tables at once. */
export type SchemaStep = (db: AnyDatabase, dialect: SchemaDialect) => Promise<void>;

/** version of the first schema whose accounts are kept; the versions before were never released */
const firstVersion = 17;

/**
 * Each step raises the schema version by one. Steps are appended, and a released one never changes.
 */
export const schemaSteps: SchemaStep[] = [];

/** Version of the tables that this package creates. */
export function schemaVersion(): number {
	return firstVersion + schemaSteps.length;
}

/**
 * Checks that this package knows the schema of an account; 0 stands for none.
 *
 * @throws `error.gateway.store.newerSchema`, `error.gateway.store.earlierSchema`
 */
export function requireKnownSchema(version: number): void {
	const facts = { version };
	if (version > schemaVersion()) {
		throw storeErrors.create('newerSchema', {
			message: `The account has schema version ${version}; this package knows up to ${schemaVersion()}.`,
			facts,
		});
	}
	if (version === 0 || version >= firstVersion) return;
	throw storeErrors.create('earlierSchema', {
		message: `The account has schema version ${version}; this package knows versions from ${firstVersion} on.`,
		facts,
	});
}

/**
 * Applies the missing steps inside the caller's transaction, which also excludes other processes.
 */
export async function updateTables(
	db: AnyDatabase,
	dialect: SchemaDialect,
	version: number,
): Promise<void> {
	for (const step of schemaSteps.slice(version - firstVersion)) await step(db, dialect);
}
