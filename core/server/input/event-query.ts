import * as z from 'zod';
import { eventNamesIn, type EventVersion } from '../../events/event-names';
import { selectEventNames } from '../../events/event-pattern';
import type { EventFilter } from '../../events/event-types';
import type { ConnectorVersion } from '../connector-version';

/** Number of an event in a query or header. */
export const eventPosition = z.string().regex(/^\d{1,15}$/, 'must be the number of an event');

/** Pattern with a wildcard; other texts are judged as names. */
const pattern = z.string().regex(/^(?=.{1,200}$)(?=.*\*)[\w*]+(\.[\w*]+)*$/, {
	message: 'must be equal to one of the allowed values',
	abort: true,
});

const eventIn = (version: ConnectorVersion) => {
	const name = z.union([z.enum(eventNamesIn(version)), pattern]);
	return z.union([name, z.array(name).min(1).max(100)]).optional();
};

/** Query that selects events, with the names of the events of a version. */
export const eventQueryIn = (version: ConnectorVersion) =>
	z.strictObject({
		after: eventPosition.optional(),
		event: eventIn(version),
		version: z.enum(['6', '7']).optional(),
	});
type EventQuery = z.infer<ReturnType<typeof eventQueryIn>>;

/** Events that a client asks for. */
export interface EventSelection {
	readonly filter: EventFilter & { readonly version: EventVersion };
	readonly after: number | undefined;
	/** names and patterns as the client has given them */
	readonly patterns: readonly string[];
}

/** Version of the events that a client names in its query, or else the usual one. */
export function eventVersionOf(
	{ version }: { readonly version?: unknown },
	usualVersion: ConnectorVersion,
): ConnectorVersion {
	if (version !== '6' && version !== '7') return usualVersion;
	return version === '6' ? 6 : 7;
}

/** @param usualVersion version of the events if the client names none */
export function eventSelectionOf(
	{ after, event, ...given }: EventQuery,
	usualVersion: ConnectorVersion,
): EventSelection {
	const version = eventVersionOf(given, usualVersion);
	const patterns = event === undefined ? [] : [event].flat();
	const { names } = selectEventNames(patterns, version);
	return {
		filter: { version, ...(patterns.length === 0 ? {} : { names }) },
		after: after === undefined ? undefined : Number(after),
		patterns,
	};
}
