import * as z from 'zod';
import { eventNamesIn, type AnyEventName, type EventVersion } from '../../events/event-names';
import { selectEventNames } from '../../events/event-pattern';
import type { EventFilter } from '../../events/event-types';
import type { ConnectorVersion } from '../connector-version';
import { invalidPart } from '../server-errors';

/** Number of an event in a query or header. */
export const eventPosition = z.string().regex(/^\d{1,15}$/, 'must be the number of an event');

const notAllowed = 'must be equal to one of the allowed values';

/** Pattern with a wildcard; other texts are judged as names. */
const pattern = z.string().regex(/^(?=.{1,200}$)(?=.*\*)[\w*]+(\.[\w*]+)*$/, {
	message: notAllowed,
	abort: true,
});

/** Names of both versions: the query says in the same breath which of them it means. */
const name = z.union([z.enum([...new Set([...eventNamesIn(6), ...eventNamesIn(7)])]), pattern]);

/** Query that selects events, with the names of the version that it asks for. */
export const eventQuery = z.strictObject({
	after: eventPosition.optional(),
	event: z.union([name, z.array(name).min(1).max(100)]).optional(),
	version: z.enum(['6', '7']).optional(),
});
type EventQuery = z.infer<typeof eventQuery>;

/** Events that a client asks for. */
export interface EventSelection {
	readonly filter: EventFilter & { readonly version: EventVersion };
	readonly after: number | undefined;
	/** names and patterns as the client has given them */
	readonly patterns: readonly string[];
}

/**
 * @param usualVersion version of the events if the client names none
 * @throws `error.runtime.validation.invalidPropertyValue` for a name of the other version
 */
export function eventSelectionOf(
	{ after, event, version: asked }: EventQuery,
	usualVersion: ConnectorVersion,
): EventSelection {
	const version = asked === undefined ? usualVersion : asked === '6' ? 6 : 7;
	const patterns = event === undefined ? [] : [event].flat();
	const known: ReadonlySet<string> = new Set<AnyEventName>(eventNamesIn(version));
	if (patterns.some((one) => !one.includes('*') && !known.has(one))) {
		throw invalidPart('invalidInput', 'event', `event ${notAllowed}`);
	}
	const { names } = selectEventNames(patterns, version);
	return {
		filter: { version, ...(patterns.length === 0 ? {} : { names }) },
		after: after === undefined ? undefined : Number(after),
		patterns,
	};
}
