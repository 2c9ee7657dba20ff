import * as z from 'zod';
import { parkedDeliveryDtoSchema, parkedSelectionSchema } from '../../events/parked-deliveries';
import { route, type RouteGroup } from './route';

const deliveries = z.array(parkedDeliveryDtoSchema);

/** Ours: what receivers of events did not take (docs/protocol/http-api.md 11.2). */
export const parkedDeliveries: RouteGroup = {
	name: 'ParkedDeliveries',
	roles: ['admin', 'core:*', 'core:parkedDeliveries'],
	routes: [
		route({
			method: 'GET',
			path: '/ParkedDeliveries',
			summary: 'Events that a webhook, a broker or a trigger was given and did not take.',
			parameters: {},
			query: z.object({ consumer: z.string().optional() }),
			status: 200,
			result: deliveries,
			handle: ({ facade, query, options }) => facade.events.listParked({ ...query }, options),
		}),
		route({
			method: 'POST',
			path: '/ParkedDeliveries/SendAgain',
			summary: 'Has them delivered once more: all, those of one consumer, or single events.',
			parameters: {},
			body: parkedSelectionSchema,
			status: 200,
			result: deliveries,
			handle: ({ facade, body, options }) => facade.events.sendParkedAgain(body, options),
		}),
		route({
			method: 'POST',
			path: '/ParkedDeliveries/Discard',
			summary: 'Gives them up for good: all, those of one consumer, or single events.',
			parameters: {},
			body: parkedSelectionSchema,
			status: 200,
			result: deliveries,
			handle: ({ facade, body, options }) => facade.events.discardParked(body, options),
		}),
	],
};
