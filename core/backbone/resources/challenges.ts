import type { ChallengeResource } from '../backbone';
import type { BackboneCaller } from '../backbone-caller';
import { wireChallengeSchema } from '../dto/challenge';
import { pathId } from '../wire-text';

export function createChallengeResource(caller: BackboneCaller): ChallengeResource {
	return {
		create: async (options = {}) =>
			caller.result(
				{
					method: 'POST',
					path: '/Challenges',
					json: {},
					anonymous: options.anonymous,
					// A challenge that nobody signs does no harm.
					isRepeatable: true,
				},
				wireChallengeSchema,
				options,
			),
		get: async (id, options) =>
			caller.result(
				{ method: 'GET', path: `/Challenges/${pathId(id, 'CHL')}` },
				wireChallengeSchema,
				options,
			),
	};
}
