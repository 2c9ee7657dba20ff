import * as z from 'zod';
import { challengeDtoSchema, challengeVerdictDtoSchema } from '../../model/record/challenge';
import { body, id } from './inputs';
import { route, type RouteGroup } from './route';

/** docs/protocol/http-api.md 8.5 */
export const challenges: RouteGroup = {
	name: 'Challenges',
	roles: ['admin', 'core:*', 'core:challenges'],
	record: 'Relationship',
	routes: [
		route({
			method: 'POST',
			path: '/Challenges',
			summary: 'A challenge that proves who this gateway is.',
			parameters: {},
			// Wrong types have a code of their own, which the use case knows.
			body: body({ challengeType: z.unknown(), relationship: id('relationship').optional() }),
			status: 201,
			result: challengeDtoSchema,
			handle: ({ facade, body: input, options }) => facade.challenges.create(input, options),
		}),
		route({
			method: 'POST',
			path: '/Challenges/Validate',
			summary: 'Whether a challenge was made by whom it names, and what connects us.',
			parameters: {},
			body: body({
				challengeString: z.string().max(100_000),
				signature: z.string().max(100_000),
			}),
			status: 200,
			result: challengeVerdictDtoSchema,
			handle: ({ facade, body: input, options }) => facade.challenges.validate(input, options),
		}),
	],
};
