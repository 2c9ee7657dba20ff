import type { INodeProperties } from 'n8n-workflow';
import type { Condition, Query, TemplateDto } from '../../../../core';
import { forOperation, limit, returnAll, simplify } from '../../descriptions/common';
import { purpose as purposeField } from '../../descriptions/purpose';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { loadCore } from '../../gateway/core';
import type { Operation, OperationCall } from '../../operation/operation';
import { simplifyTemplate } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{
			displayName: 'Only Valid',
			name: 'onlyValid',
			type: 'boolean',
			default: true,
			description: 'Whether to leave out templates that have expired',
		},
		{
			...purposeField,
			description: 'Only templates for this purpose, for example the letters of one class',
		},
	],
};

const fields: INodeProperties[] = [returnAll, limit, simplify, filters];

const inputSchema = parameterSchema((z, { optionalText, ...field }) =>
	z.object({
		returnAll: z.boolean(),
		limit: field.limit,
		simplify: z.boolean(),
		filters: z.object({ onlyValid: z.boolean().default(false), purpose: optionalText }),
	}),
);

type TemplateField = 'isOwn' | 'expiresAt' | 'purpose';

export const getUnanswered: Operation = {
	properties: forOperation('relationshipTemplate', 'getUnanswered', fields),
	output: 'unansweredTemplate',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const { onlyValid, purpose } = parameters.filters;
		const now = new Date().toISOString();
		const where: Array<Condition<TemplateField>> = [{ field: 'isOwn', op: 'eq', value: true }];
		if (onlyValid) where.push({ field: 'expiresAt', op: 'gt', value: now });
		if (purpose !== undefined) where.push({ field: 'purpose', op: 'eq', value: purpose });
		const most = parameters.returnAll ? Number.POSITIVE_INFINITY : parameters.limit;
		const { pagesOf } = await loadCore();
		const list = (query: Query<TemplateField>) => gateway.templates.list(query, { signal });
		const found: TemplateDto[] = [];
		const orderBy = { field: 'inserted', direction: 'desc' } as const;
		for await (const page of pagesOf(list, { where, orderBy })) {
			const answered = await answeredOf(call, page);
			found.push(...page.filter(({ id }) => !answered.has(id)));
			if (found.length >= most) break;
		}
		return found.slice(0, most).map((template) => {
			const { expiresAt = '~' } = template;
			const state = expiresAt <= now ? 'expired' : 'open';
			return toRecord({ ...(parameters.simplify ? simplifyTemplate(template) : template), state });
		});
	},
};

/** Ids of the templates that a person has answered: with a relationship, or with a response. */
async function answeredOf(
	{ gateway, signal }: OperationCall,
	templates: readonly TemplateDto[],
): Promise<ReadonlySet<string>> {
	const value = templates.map(({ id }) => id);
	const relationships = await gateway.relationships.list(
		{ where: [{ field: 'templateId', op: 'in', value }] },
		{ signal },
	);
	const requests = await gateway.outgoingRequests.list(
		{ where: [{ field: 'sourceReference', op: 'in', value }] },
		{ signal },
	);
	return new Set([
		...relationships.map(({ template }) => template.id),
		...requests
			.filter(({ response }) => response !== undefined)
			.map(({ source }) => source?.reference ?? ''),
	]);
}
