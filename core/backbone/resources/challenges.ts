import type { ChallengeResource } from '../backbone';
import type { BackboneCaller } from '../backbone-caller';
import { wireChallengeSchema } from '../dto/challenge';
import { membersOf } from '../json-body';
import { pathId } from '../wire-text';

function hasCreator(body: unknown): boolean {
	return typeof membersOf(membersOf(body)['result'])['createdBy'] === 'string';
}

/** `docs/protocol/backbone-api.md` 6 */
export function createChallengeResource(caller: BackboneCaller): ChallengeResource {
	return {
		create: async (options = {}) =>
			caller.result(
				{
					method: 'POST',
					path: '/Challenges',
					json: {},
					anonymous: options.anonymous,
					isForStrangers: (status, body) => status < 300 && !hasCreator(body()),
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
