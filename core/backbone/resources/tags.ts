import { safeParse } from '../../base/schema-parse';
import type { TagResource } from '../port/backbone';
import type { BackboneCaller } from '../http/backbone-caller';
import { etagSchema, wireTagCollectionSchema } from '../dto/tags';

/** Above the limit of small answers; collections are so large that the protocol caches them. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** `docs/protocol/backbone-api.md` 18.1 */
export function createTagResource(caller: BackboneCaller): TagResource {
	return {
		get: async (options = {}) => {
			const known = safeParse(etagSchema, options.etag).data;
			const answer = await caller.resultUnlessKnown(
				{
					method: 'GET',
					path: '/Tags',
					headers: known === undefined ? {} : { 'if-none-match': known },
					maxAnswerBytes,
				},
				wireTagCollectionSchema,
				options,
			);
			if (answer === undefined) return 'unchanged';
			const { result: collection, etag } = answer;
			return { collection, etag: safeParse(etagSchema, etag).data };
		},
	};
}
