import type { TokenResource } from '../backbone';
import { answerLimits, type BackboneCaller } from '../backbone-caller';
import { createdTokenSchema, wireTokenSchema } from '../dto';
import { passwordQuery, pathId } from '../wire-text';
import { deleteObject } from './deletion';

/** `docs/protocol/backbone-api.md` 17 */
export function createTokenResource(caller: BackboneCaller): TokenResource {
	const root = '/Tokens';
	return {
		create: (body, options) =>
			caller.result({ method: 'POST', path: root, json: body }, createdTokenSchema, options),
		get: async (id, options = {}) =>
			caller.result(
				{
					method: 'GET',
					path: `${root}/${pathId(id, 'TOK')}`,
					query: passwordQuery(options.password),
					anonymous: options.anonymous,
					maxAnswerBytes: answerLimits.content,
				},
				wireTokenSchema,
				options,
			),
		delete: async (id, options) => deleteObject(caller, `${root}/${pathId(id, 'TOK')}`, options),
	};
}
