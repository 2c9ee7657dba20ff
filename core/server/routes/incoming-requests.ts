import * as z from 'zod';
import { requestDtoSchema } from '../../model/record/request';
import { serverErrors } from '../server-errors';
import { requestFilters } from './filter-fields';
import { id, unchecked } from './inputs';
import { validationResult } from './results';
import { route, type RouteGroup } from './route';

const requestId = id('request');
const decision = unchecked('items', 'decidedByAutomation');

/** The decisions alone; only the automation of the gateway may say that it was the automation. */
function decided({ items, decidedByAutomation }: z.infer<typeof decision>): object {
	if (decidedByAutomation === undefined) return items === undefined ? {} : { items };
	throw serverErrors.create('decidedByAutomation', {
		message: "'decidedByAutomation' cannot be set from outside.",
		facts: { field: 'decidedByAutomation' },
	});
}

/** docs/protocol/http-api.md 8.8 */
export const incomingRequests: RouteGroup = {
	name: 'Requests/Incoming',
	roles: ['admin', 'core:*', 'core:requests:*', 'core:requests:incoming'],
	record: 'LocalRequest',
	routes: [
		route({
			method: 'GET',
			path: '/Requests/Incoming',
			summary: 'Requests of peers.',
			parameters: {},
			filters: requestFilters,
			status: 200,
			result: z.array(requestDtoSchema),
			handle: ({ facade, filters, options }) =>
				facade.incomingRequests.list({ query: filters }, options),
		}),
		route({
			method: 'GET',
			path: '/Requests/Incoming/:id',
			summary: 'One request of a peer.',
			parameters: { id: requestId },
			status: 200,
			result: requestDtoSchema,
			handle: ({ facade, parameters, options }) =>
				facade.incomingRequests.get(parameters.id, options),
		}),
		route({
			method: 'PUT',
			path: '/Requests/Incoming/:id/CanAccept',
			summary: 'Whether a request can be accepted with these decisions.',
			parameters: { id: requestId },
			body: decision,
			status: 200,
			result: validationResult,
			handle: ({ facade, parameters, body, options }) =>
				facade.incomingRequests.canAccept(parameters.id, decided(body), options),
		}),
		route({
			method: 'PUT',
			path: '/Requests/Incoming/:id/CanReject',
			summary: 'Whether a request can be rejected with these decisions.',
			parameters: { id: requestId },
			body: decision,
			status: 200,
			result: validationResult,
			handle: ({ facade, parameters, body, options }) =>
				facade.incomingRequests.canReject(parameters.id, decided(body), options),
		}),
		route({
			method: 'PUT',
			path: '/Requests/Incoming/:id/Accept',
			summary: 'Accepts a request; the answer is on its way then.',
			parameters: { id: requestId },
			body: decision,
			status: 200,
			result: requestDtoSchema,
			handle: ({ facade, parameters, body, options }) =>
				facade.incomingRequests.accept(parameters.id, decided(body), options),
		}),
		route({
			method: 'PUT',
			path: '/Requests/Incoming/:id/Reject',
			summary: 'Rejects a request; the answer is on its way then.',
			parameters: { id: requestId },
			body: decision,
			status: 200,
			result: requestDtoSchema,
			handle: ({ facade, parameters, body, options }) =>
				facade.incomingRequests.reject(parameters.id, decided(body), options),
		}),
	],
};
