import * as z from 'zod';
import { facadePages } from '../../facade/list-pages';
import { requestDtoSchema } from '../../model/record/request';
import { id, unchecked } from './inputs';
import { requestFilters } from './filter-fields';
import { validationResult } from './results';
import { listRoute, route, type RouteGroup } from './route';

/** @see docs/protocol/http-api.md 8.9 */
export const outgoingRequests: RouteGroup = {
	name: 'Requests/Outgoing',
	roles: ['admin', 'core:*', 'core:requests:*', 'core:requests:outgoing'],
	record: 'LocalRequest',
	routes: [
		route({
			method: 'POST',
			path: '/Requests/Outgoing/Validate',
			summary: 'Checks whether a request can be created, item by item.',
			parameters: {},
			body: unchecked('content', 'peer'),
			// 201 instead of 200, because clients compare the status (docs/protocol/http-api.md 20).
			status: 201,
			result: validationResult,
			handle: ({ facade, body, options }) => facade.outgoingRequests.validate(body, options),
		}),
		route({
			method: 'POST',
			path: '/Requests/Outgoing',
			summary: 'Creates a draft of a request, which is sent as the content of a message.',
			parameters: {},
			body: unchecked('content', 'peer'),
			status: 201,
			result: requestDtoSchema,
			handle: ({ facade, body, options }) => facade.outgoingRequests.create(body, options),
		}),
		listRoute({
			path: '/Requests/Outgoing',
			summary: 'Requests of this gateway.',
			parameters: {},
			filters: requestFilters,
			result: z.array(requestDtoSchema),
			pages: ({ facade, filters, options }) =>
				facadePages(facade.outgoingRequests, { query: filters }, options),
		}),
		route({
			method: 'GET',
			path: '/Requests/Outgoing/:id',
			summary: 'One request of this gateway.',
			parameters: { id: id('request') },
			status: 200,
			result: requestDtoSchema,
			handle: ({ facade, parameters, options }) =>
				facade.outgoingRequests.get(parameters.id, options),
		}),
	],
};
