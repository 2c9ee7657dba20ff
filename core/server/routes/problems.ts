import * as z from 'zod';
import { problemDtoSchema, retriedProblemDtoSchema } from '../../model/record/problem';
import { route, type RouteGroup } from './route';

/** Ours: what waits for a person, and another try of it. */
export const problems: RouteGroup = {
	name: 'Problems',
	roles: ['admin', 'core:*', 'core:account'],
	routes: [
		route({
			method: 'GET',
			path: '/Account/Problems',
			summary:
				'Received events that could not be applied, deliveries that were not taken, and messages of which nobody knows whether they were sent.',
			parameters: {},
			query: z.object({ kind: problemDtoSchema.shape.kind.optional() }),
			status: 200,
			result: z.array(problemDtoSchema),
			handle: ({ facade, query, options }) =>
				facade.problems.list(query.kind === undefined ? {} : { kind: query.kind }, options),
		}),
		route({
			method: 'POST',
			path: '/Account/Problems/Retry',
			summary: 'Tries the named problems once more; nothing is applied or sent twice.',
			parameters: {},
			body: z.object({ ids: z.array(z.string()).min(1) }),
			status: 200,
			result: z.array(retriedProblemDtoSchema),
			handle: ({ facade, body, options }) => facade.problems.retry({ ids: body.ids }, options),
		}),
	],
};
