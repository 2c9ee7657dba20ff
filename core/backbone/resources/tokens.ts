import type { TokenResource } from '../backbone';
import { answerLimits, type BackboneCaller } from '../backbone-caller';
import {
	createdTokenSchema,
	updatedTokenSchema,
	wireListedTokenSchema,
	wireTokenSchema,
} from '../dto/token';
import { readListed } from '../paging';
import { passwordQuery, pathId } from '../wire-text';
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
					// Strangers may only create empty ones.
					isForStrangers: (status) => status === 400,
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
					// Own ones, and those for us, are not shown to strangers or not without password.
					isForStrangers: (status) => status === 404 || status === 400,
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
