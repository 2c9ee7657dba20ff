import * as z from 'zod';
import { judged } from '../../facade/judged';
import { facadePages } from '../../facade/list-pages';
import { requestDtoSchema } from '../../model/record/request';
import type { DecideRequestInput } from '../../facade/requests';
import { serverErrors } from '../server-errors';
import { requestFilters } from './filter-fields';
import { anyRequestId, unchecked } from './inputs';
import { validationResult } from './results';
import { route, type RouteGroup } from './route';

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

/** Use cases that take decisions about the items of a request, by the end of the path. */
const decisions = {
	CanAccept: ['canAccept', 'Checks whether a request can be accepted with these decisions.'],
	CanReject: ['canReject', 'Checks whether a request can be rejected with these decisions.'],
	Accept: ['accept', 'Accepts a request; the answer is sent to the peer afterwards.'],
	Reject: ['reject', 'Rejects a request; the answer is sent to the peer afterwards.'],
} as const;

/** @see docs/protocol/http-api.md 8.8 */
export const incomingRequests: RouteGroup = {
	name: 'Requests/Incoming',
	roles: ['admin', 'core:*', 'core:requests:*', 'core:requests:incoming'],
	record: 'LocalRequest',
	routes: [
		route.list('/Requests/Incoming', {
			summary: 'Requests of peers.',
			filters: requestFilters,
			result: z.array(requestDtoSchema),
			pages: ({ facade, filters, options }) =>
				facadePages(facade.incomingRequests, { query: filters }, options),
		}),
		route.get('/Requests/Incoming/:id', {
			summary: 'One request of a peer.',
			parameters: { id: anyRequestId },
			result: requestDtoSchema,
			handle: ({ facade, parameters, options }) =>
				facade.incomingRequests.get(parameters.id, options),
		}),
		...Object.entries(decisions).map(([tail, [decide, summary]]) =>
			route.put(`/Requests/Incoming/:id/${tail}`, {
				summary,
				parameters: { id: anyRequestId },
				body: decision,
				result: tail.startsWith('Can') ? validationResult : requestDtoSchema,
				handle: async ({ facade, parameters, body, options }) =>
					await facade.incomingRequests[decide](parameters.id, decided(body), options),
			}),
		),
	],
};
