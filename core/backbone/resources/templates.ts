import type { ProtectedId, TemplateResource } from '../port/backbone';
import { answerLimits, type BackboneCaller } from '../http/backbone-caller';
import {
	createdTemplateSchema,
	wireListedTemplateSchema,
	wireTemplateSchema,
} from '../dto/template';
import { readListed } from '../http/paging';
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
		create: (body, options) =>
			caller.result({ method: 'POST', path: root, json: body }, createdTemplateSchema, options),
		get: async (id, options = {}) =>
			sameObject(
				id,
				caller.result(
					{
						method: 'GET',
						path: `${root}/${pathId(id, 'RLT')}`,
						query: passwordQuery(options.password),
						maxAnswerBytes: answerLimits.content,
					},
					wireTemplateSchema,
					options,
				),
			),
		list: async (ids, options) =>
			readListed(
				caller,
				{ method: 'GET', path: root, maxAnswerBytes: answerLimits.page },
				wireListedTemplateSchema,
				ids,
				renderProtectedId,
				options,
			),
		delete: async (id, options) => deleteObject(caller, `${root}/${pathId(id, 'RLT')}`, options),
	};
}
