import * as z from 'zod';
import { judged } from '../../facade/judged';
import { facadePages } from '../../facade/list-pages';
import { requestDtoSchema } from '../../model/record/request';
import type { DecideRequestInput } from '../../facade/requests';
import { serverErrors } from '../server-errors';
import { requestFilters } from './filter-fields';
import { anyRequestId, unchecked } from './inputs';
import { validationResult } from './results';
import { listRoute, route, type Route, type RouteGroup } from './route';

interface GivenDecision extends Partial<DecideRequestInput> {
	readonly decidedByAutomation?: unknown;
}

/** The document does not name the member that is always refused. */
const decision = unchecked<GivenDecision>('items');

/** Keeps the decisions only: a client must not mark them as made by the gateway's automation. */
function decided({ items, decidedByAutomation }: GivenDecision): DecideRequestInput {
	if (decidedByAutomation === undefined) return judged(items === undefined ? {} : { items });
	throw serverErrors.create('decidedByAutomation', {
		message: "'decidedByAutomation' cannot be set from outside.",
		facts: { field: 'decidedByAutomation' },
	});
}

type Decide = 'canAccept' | 'canReject' | 'accept' | 'reject';

/** Route that answers a request with decisions about its items. */
function decisionRoute(tail: string, summary: string, result: z.ZodType, decide: Decide): Route {
	return route({
		method: 'PUT',
		path: `/Requests/Incoming/:id/${tail}`,
		summary,
		parameters: { id: anyRequestId },
		body: decision,
		result,
		handle: async ({ facade, parameters, body, options }) =>
			await facade.incomingRequests[decide](parameters.id, decided(body), options),
	});
}

const decisionRoutes: readonly Route[] = [
	decisionRoute(
		'CanAccept',
		'Checks whether a request can be accepted with these decisions.',
		validationResult,
		'canAccept',
	),
	decisionRoute(
		'CanReject',
		'Checks whether a request can be rejected with these decisions.',
		validationResult,
		'canReject',
	),
	decisionRoute(
		'Accept',
		'Accepts a request; the answer is sent to the peer afterwards.',
		requestDtoSchema,
		'accept',
	),
	decisionRoute(
		'Reject',
		'Rejects a request; the answer is sent to the peer afterwards.',
		requestDtoSchema,
		'reject',
	),
];

/** @see docs/protocol/http-api.md 8.8 */
export const incomingRequests: RouteGroup = {
	name: 'Requests/Incoming',
	roles: ['admin', 'core:*', 'core:requests:*', 'core:requests:incoming'],
	record: 'LocalRequest',
	routes: [
		listRoute({
			path: '/Requests/Incoming',
			summary: 'Requests of peers.',
			filters: requestFilters,
			result: z.array(requestDtoSchema),
			pages: ({ facade, filters, options }) =>
				facadePages(facade.incomingRequests, { query: filters }, options),
		}),
		route({
			path: '/Requests/Incoming/:id',
			summary: 'One request of a peer.',
			parameters: { id: anyRequestId },
			result: requestDtoSchema,
			handle: ({ facade, parameters, options }) =>
				facade.incomingRequests.get(parameters.id, options),
		}),
		...decisionRoutes,
	],
};
