import { eventCatalogue } from './catalogue';
import type { CarriedRecord, EventDefinition } from './event-definition';

/** Returns an empty definition for an event that only a newer version publishes. */
export function carriedRecord(name: string): CarriedRecord {
	const definitions: Readonly<Record<string, EventDefinition>> = eventCatalogue;
	return (Object.hasOwn(definitions, name) ? definitions[name] : undefined) ?? {};
}
