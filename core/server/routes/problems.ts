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

/** One, or several as a repeated name. */
const ids = z.union([z.string().transform((one) => [one]), z.array(z.string())]).optional();

/** Ours: what waits for a person, another try of it, and giving it up (docs/protocol/http-api.md 8.18). */
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
			query: z.object({ kind, consumer, ids }),
			status: 200,
			result: z.array(problemDtoSchema),
			handle: ({ facade, query, options }) => facade.problems.list({ ...query }, options),
		}),
		route({
			method: 'POST',
			path: '/Account/Problems/Retry',
			summary: 'Tries the named problems once more, or all; nothing is applied or sent twice.',
			parameters: {},
			body: problemChoiceSchema,
			status: 200,
			result: z.array(retriedProblemDtoSchema),
			handle: ({ facade, body, options }) => facade.problems.retry(body, options),
		}),
		route({
			method: 'POST',
			path: '/Account/Problems/Discard',
			summary: 'Gives the named problems up for good, or all that can be given up.',
			parameters: {},
			body: problemChoiceSchema,
			status: 200,
			result: z.array(discardedProblemDtoSchema),
			handle: ({ facade, body, options }) => facade.problems.discard(body, options),
		}),
	],
};
