import type { INodeProperties } from 'n8n-workflow';
import type { Condition, TemplateField } from '../../../../core';
import { forOperation, limit, returnAll, simplify } from '../../descriptions/common';
import { newestFirst } from '../../helpers/newest-first';
import type { Operation } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { simplifyTemplate } from '../../helpers/simplify';
import { toRecord } from '../../helpers/to-items';

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{
			displayName: 'Created By',
			name: 'createdBy',
			type: 'options',
			options: [
				{ name: 'Me', value: 'me' },
				{ name: 'Peers', value: 'peers', description: 'Templates that were loaded from others' },
			],
			default: 'me',
		},
		{
			displayName: 'Only Valid',
			name: 'onlyValid',
			type: 'boolean',
			default: true,
			description: 'Whether to leave out templates that have expired',
		},
		{
			displayName: 'Title Contains',
			name: 'title',
			type: 'string',
			default: '',
			placeholder: 'e.g. newsletter',
		},
	],
};

const fields: INodeProperties[] = [returnAll, limit, simplify, filters];

const inputSchema = parameterSchema((z, { optionalText, ...field }) =>
	z.object({
		returnAll: z.boolean(),
		limit: field.limit,
		simplify: z.boolean(),
		filters: z.object({
			createdBy: z.enum(['me', 'peers']).optional(),
			onlyValid: z.boolean().default(false),
			title: optionalText,
		}),
	}),
);

export const getAll: Operation = {
	properties: forOperation('relationshipTemplate', 'getAll', fields),

	async execute(context) {
		const parameters = await parseParameters(context, fields, inputSchema);
		const templates = await context.gateway.templates.list(
			newestFirst(conditionsOf(parameters.filters), parameters),
			{ signal: context.signal },
		);
		return templates.map((template) =>
			toRecord(parameters.simplify ? simplifyTemplate(template) : template),
		);
	},
};

function conditionsOf(filters: {
	createdBy?: 'me' | 'peers' | undefined;
	onlyValid: boolean;
	title?: string | undefined;
}): Array<Condition<TemplateField>> {
	const where: Array<Condition<TemplateField>> = [];
	if (filters.createdBy !== undefined) {
		where.push({ field: 'isOwn', op: 'eq', value: filters.createdBy === 'me' });
	}
	if (filters.onlyValid) {
		where.push({ field: 'expiresAt', op: 'gt', value: new Date().toISOString() });
	}
	if (filters.title !== undefined) {
		where.push({ field: 'title', op: 'contains', value: filters.title });
	}
	return where;
}
