import type { ChallengeResource } from '../port/backbone';
import type { BackboneCaller } from '../http/backbone-caller';
import { wireChallengeSchema } from '../dto/challenge';
import { ownMember, ownText } from '../../model/json';
import { get, post } from './calls';
import { pathId } from './wire-text';

function hasCreator(body: unknown): boolean {
	return ownText(ownMember(body, 'result'), 'createdBy') !== undefined;
}

/** `docs/protocol/backbone-api.md` 6 */
export function createChallengeResource(caller: BackboneCaller): ChallengeResource {
	return {
		create: async (options = {}) => {
			const call = post(
				'/Challenges',
				{},
				{
					anonymous: options.anonymous,
					allowsAnonymous: (status, body) => status < 300 && !hasCreator(body()),
					// An unused challenge does no harm.
					isRepeatable: true,
				},
			);
			return await caller.result(call, wireChallengeSchema, options);
		},
		get: async (id, options) =>
			caller.result(get(`/Challenges/${pathId(id, 'CHL')}`), wireChallengeSchema, options),
	};
}
