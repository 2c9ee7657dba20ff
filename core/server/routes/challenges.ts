import * as z from 'zod';
import { judged } from '../../facade/judged';
import { challengeDtoSchema, challengeVerdictDtoSchema } from '../../model/record/challenge';
import { body, id } from './inputs';
import { route, type RouteGroup } from './route';

/** @see docs/protocol/http-api.md 8.5 */
export const challenges: RouteGroup = {
	name: 'Challenges',
	roles: ['admin', 'core:*', 'core:challenges'],
	record: 'Relationship',
	routes: [
		route.post('/Challenges', {
			summary: 'Creates a challenge that proves the identity of this gateway.',
			// The use case validates the type, because wrong types have a code of their own.
			body: body({ challengeType: z.unknown(), relationship: id('relationship').optional() }),
			status: 201,
			result: challengeDtoSchema,
			handle: ({ facade, body: input, options }) =>
				facade.challenges.create(judged(input), options),
		}),
		route.post('/Challenges/Validate', {
			summary: 'Validates a challenge, and returns the relationship with its creator.',
			body: body({
				challengeString: z.string().max(100_000),
				signature: z.string().max(100_000),
			}),
			result: challengeVerdictDtoSchema,
			handle: ({ facade, body: input, options }) => facade.challenges.validate(input, options),
		}),
	],
};
