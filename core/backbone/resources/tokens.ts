import type { TokenResource } from '../port/backbone';
import { answerLimits, type BackboneCaller } from '../http/backbone-caller';
import {
	createdTokenSchema,
	updatedTokenSchema,
	wireListedTokenSchema,
	wireTokenSchema,
} from '../dto/token';
import { readListed } from '../http/paging';
import { passwordQuery, pathId } from './wire-text';
import { deleteObject } from './deletion';

/** `docs/protocol/backbone-api.md` 17 */
export function createTokenResource(caller: BackboneCaller): TokenResource {
	const root = '/Tokens';
	return {
		create: (body, options = {}) =>
			caller.result(
				{
					method: 'POST',
					path: root,
					json: body,
					anonymous: options.anonymous,
					// Anonymous callers may create empty tokens only.
					allowsAnonymous: (status) => status === 400,
				},
				createdTokenSchema,
				options,
			),
		get: async (id, options = {}) =>
			caller.result(
				{
					method: 'GET',
					path: `${root}/${pathId(id, 'TOK')}`,
					query: passwordQuery(options.password),
					anonymous: options.anonymous,
					// Unlike this identity, anonymous callers cannot read personalized tokens, and need the
					// password of tokens that this identity created.
					allowsAnonymous: (status) => status === 404 || status === 400,
					maxAnswerBytes: answerLimits.content,
				},
				wireTokenSchema,
				options,
			),
		list: async (ids, options) =>
			readListed(
				caller,
				{ method: 'GET', path: root, maxAnswerBytes: answerLimits.page },
				wireListedTokenSchema,
				ids,
				(id) => [['ids', pathId(id, 'TOK')]],
				options,
			),
		updateContent: async (id, body, options) =>
			caller.result(
				{
					method: 'POST',
					path: `${root}/${pathId(id, 'TOK')}/UpdateContent`,
					json: body,
					isRepeatable: true,
				},
				updatedTokenSchema,
				options,
			),
		delete: async (id, options) => deleteObject(caller, `${root}/${pathId(id, 'TOK')}`, options),
	};
}
