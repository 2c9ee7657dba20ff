import * as z from 'zod';
import { gatewayEventSchema } from '../../../events/event-names';
import { patternWarnings } from '../../../events/event-pattern';
import type { ConnectorVersion } from '../../connector-version';
import { eventQuery, eventSelectionOf } from '../../input/event-query';
import { body } from '../inputs';
import { route, type RouteGroup } from '../route';
import { countQuery } from './queries';

const consumer = z.string().regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, _, . or -');

const eventPage = z.object({
	events: z.array(gatewayEventSchema),
	position: z.int(),
	hasMore: z.boolean(),
	isIncomplete: z.boolean(),
	warnings: z.array(z.string()).optional(),
});

export const eventGroup = {
	name: 'Events',
	roles: ['admin', 'core:*', 'core:events'],
	record: 'Consumer',
} as const;

/** Routes for clients that poll for events; an extension of this gateway (docs/adr/0049). */
const eventsIn = (version: ConnectorVersion): RouteGroup => ({
	...eventGroup,
	routes: [
		route.get('/Events', {
			summary:
				'A page of events, oldest first, for clients that accept application/json; a consumer gets what it has not acknowledged.',
			query: eventQuery.extend({
				limit: countQuery(500).default(100),
				consumer: consumer.optional(),
			}),
			result: eventPage,
			handle: async ({ facade, query, options }) => {
				const { filter, after, patterns } = eventSelectionOf(query, version);
				const { limit, consumer: name } = query;
				const page = await facade.events.page({ filter, after, limit, consumer: name }, options);
				const warnings = patternWarnings(patterns, filter.version);
				return { ...page, ...(warnings.length === 0 ? {} : { warnings }) };
			},
		}),
		route.post('/Events/Acknowledge', {
			summary: 'Notes that a consumer has processed all events up to a position.',
			body: body({ consumer, position: z.int().min(0) }),
			result: z.object({ position: z.int() }),
			handle: ({ facade, body: input, options }) =>
				facade.events.acknowledge(input.consumer, input.position, options),
		}),
		route.delete('/Events/Consumers/:consumer', {
			summary: 'Deletes a consumer, for which events are then no longer kept.',
			parameters: { consumer },
			handle: ({ facade, parameters, options }) =>
				facade.events.forgetReader(parameters.consumer, options),
		}),
	],
});

/** Routes for clients that poll, by the version whose events they get by default. */
export const events: Readonly<Record<ConnectorVersion, RouteGroup>> = {
	6: eventsIn(6),
	7: eventsIn(7),
};
