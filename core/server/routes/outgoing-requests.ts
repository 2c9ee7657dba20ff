import * as z from 'zod';
import { facadePages } from '../../facade/list-pages';
import { requestDtoSchema } from '../../model/record/request';
import { anyRequestId, unchecked } from './inputs';
import { requestFilters } from './filter-fields';
import { validationResult } from './results';
import { repeatedBy, route, type RouteGroup } from './route';
import type {
	CreateRequestInput,
	ValidateRequestInput,
	ValidationResultDto,
} from '../../facade/requests';

/** @see docs/protocol/http-api.md 8.9 */
export const outgoingRequests: RouteGroup = {
	name: 'Requests/Outgoing',
	roles: ['admin', 'core:*', 'core:requests:*', 'core:requests:outgoing'],
	record: 'LocalRequest',
	routes: [
		route.post('/Requests/Outgoing/Validate', {
			summary: 'Checks whether a request can be created, item by item.',
			body: unchecked<ValidateRequestInput>('content', 'peer'),
			// 201 instead of 200, because clients compare the status (docs/protocol/http-api.md 20).
			status: 201,
			result: validationResult,
			handle: async ({ facade, body, options }) =>
				withoutHints(await facade.outgoingRequests.validate(body, options)),
		}),
		route.post('/Requests/Outgoing', {
			summary: 'Creates a draft of a request, which is sent as the content of a message.',
			body: unchecked<CreateRequestInput>('content', 'peer'),
			status: 201,
			result: requestDtoSchema,
			handle: ({ facade, body, options }) => facade.outgoingRequests.create(body, options),
			repeated: repeatedBy('outgoingRequests', 'requests'),
		}),
		route.list('/Requests/Outgoing', {
			summary: 'Requests of this gateway.',
			filters: requestFilters,
			result: z.array(requestDtoSchema),
			pages: ({ facade, filters, options }) =>
				facadePages(facade.outgoingRequests, { query: filters }, options),
		}),
		route.get('/Requests/Outgoing/:id', {
			summary: 'One request of this gateway.',
			parameters: { id: anyRequestId },
			result: requestDtoSchema,
			handle: ({ facade, parameters, options }) =>
				facade.outgoingRequests.get(parameters.id, options),
		}),
	],
};

/** Validation result in the shape of the Connector (docs/protocol/http-api.md 8.9). */
export function withoutHints({
	hint: _hint,
	items,
	...result
}: ValidationResultDto): ValidationResultDto {
	return { ...result, items: items.map(withoutHints) };
}
