import { safeParse } from '../../base/schema-parse';
import type { TagResource } from '../port/backbone';
import type { BackboneCaller } from '../http/backbone-caller';
import { get } from './calls';
import { etagSchema, wireTagCollectionSchema } from '../dto/tags';

/** Above the limit of small answers; collections are so large that the protocol caches them. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** `docs/protocol/backbone-api.md` 18.1 */
export function createTagResource(caller: BackboneCaller): TagResource {
	return {
		get: async (options = {}) => {
			const known = safeParse(etagSchema, options.etag).data;
			const headers = known === undefined ? {} : { 'if-none-match': known };
			const call = get('/Tags', { headers, maxAnswerBytes });
			const answer = await caller.resultUnlessKnown(call, wireTagCollectionSchema, options);
			if (answer === undefined) return 'unchanged';
			const { result: collection, etag } = answer;
			return { collection, etag: safeParse(etagSchema, etag).data };
		},
	};
}
