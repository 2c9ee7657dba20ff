import type { ProtectedId, TemplateResource } from '../port/backbone';
import { answerLimits, type BackboneCaller } from '../http/backbone-caller';
import {
	createdTemplateSchema,
	wireListedTemplateSchema,
	wireTemplateSchema,
} from '../dto/template';
import { readListed } from '../http/paging';
import { get, post } from './calls';
import { sameObject } from './same-object';
import { passwordQuery, pathId, queryBytes } from './wire-text';
import { deleteObject } from './deletion';

/** Dotted indexes from 0 without gaps (`docs/protocol/backbone-api.md` 2.10). */
function renderProtectedId(
	{ id, password }: ProtectedId,
	index: number,
): ReadonlyArray<readonly [string, string]> {
	const prefix = `templates.${index}`;
	const named = [`${prefix}.id`, pathId(id, 'RLT')] as const;
	if (password === undefined) return [named];
	return [named, [`${prefix}.password`, queryBytes(password)]];
}

/** `docs/protocol/backbone-api.md` 13 */
export function createTemplateResource(caller: BackboneCaller): TemplateResource {
	const root = '/RelationshipTemplates';
	return {
		create: (body, options) => caller.result(post(root, body), createdTemplateSchema, options),
		get: async (id, options = {}) => {
			const query = passwordQuery(options.password);
			const more = { query, maxAnswerBytes: answerLimits.content };
			const call = get(`${root}/${pathId(id, 'RLT')}`, more);
			return await sameObject(id, caller.result(call, wireTemplateSchema, options));
		},
		list: async (ids, options) => {
			const call = get(root, { maxAnswerBytes: answerLimits.page });
			return await readListed(
				caller,
				call,
				wireListedTemplateSchema,
				ids,
				renderProtectedId,
				options,
			);
		},
		delete: async (id, options) => deleteObject(caller, `${root}/${pathId(id, 'RLT')}`, options),
	};
}
