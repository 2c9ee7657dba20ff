import * as z from 'zod';
import {
	discardedProblemDtoSchema,
	problemChoiceSchema,
	problemDtoSchema,
	problemFilterSchema,
	retriedProblemDtoSchema,
} from '../../model/record/problem';
import { route, type RouteGroup } from './route';

const { kind, consumer } = problemFilterSchema.shape;

/** One id, or several as a repeated name. */
const ids = z.union([z.string().transform((one) => [one]), z.array(z.string())]).optional();

/**
 * Routes that list, retry and discard problems; an extension of this gateway
 * (docs/protocol/http-api.md 8.18).
 */
export const problems: RouteGroup = {
	name: 'Problems',
	roles: ['admin', 'core:*', 'core:account'],
	routes: [
		route.get('/Account/Problems', {
			summary:
				'Received events that could not be applied, deliveries that were not accepted, messages whose outcome is unknown, unfinished changes, and executions that n8n does not continue.',
			query: z.object({ kind, consumer, ids }),
			result: z.array(problemDtoSchema),
			handle: ({ facade, query, options }) => facade.problems.list({ ...query }, options),
		}),
		route.post('/Account/Problems/Retry', {
			summary: 'Retries the named problems, or all; nothing is applied or sent twice.',
			body: problemChoiceSchema,
			result: z.array(retriedProblemDtoSchema),
			handle: ({ facade, body, options }) => facade.problems.retry(body, options),
		}),
		route.post('/Account/Problems/Discard', {
			summary: 'Discards the named problems permanently, or all that can be discarded.',
			body: problemChoiceSchema,
			result: z.array(discardedProblemDtoSchema),
			handle: ({ facade, body, options }) => facade.problems.discard(body, options),
		}),
	],
};
