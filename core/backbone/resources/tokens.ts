import type { TokenResource } from '../port/backbone';
import { answerLimits, type BackboneCaller } from '../http/backbone-caller';
import {
	createdTokenSchema,
	updatedTokenSchema,
	wireListedTokenSchema,
	wireTokenSchema,
} from '../dto/token';
import { get, listByIds, post } from './calls';
import { passwordQuery, pathId } from './wire-text';
import { deleteObject } from './deletion';

/** `docs/protocol/backbone-api.md` 17 */
export function createTokenResource(caller: BackboneCaller): TokenResource {
	const root = '/Tokens';
	return {
		create: (body, options = {}) => {
			const { anonymous } = options;
			// Anonymous callers may create empty tokens only.
			const call = post(root, body, { anonymous, allowsAnonymous: (status) => status === 400 });
			return caller.result(call, createdTokenSchema, options);
		},
		get: async (id, options = {}) => {
			const call = get(`${root}/${pathId(id, 'TOK')}`, {
				query: passwordQuery(options.password),
				anonymous: options.anonymous,
				// Unlike this identity, anonymous callers cannot read personalized tokens, and need the
				// password of tokens that this identity created.
				allowsAnonymous: (status) => status === 404 || status === 400,
				maxAnswerBytes: answerLimits.content,
			});
			return await caller.result(call, wireTokenSchema, options);
		},
		list: async (ids, options) =>
			listByIds(caller, { path: root, prefix: 'TOK', schema: wireListedTokenSchema }, ids, options),
		updateContent: async (id, body, options) => {
			const path = `${root}/${pathId(id, 'TOK')}/UpdateContent`;
			return await caller.result(
				post(path, body, { isRepeatable: true }),
				updatedTokenSchema,
				options,
			);
		},
		delete: async (id, options) => deleteObject(caller, `${root}/${pathId(id, 'TOK')}`, options),
	};
}
