import type { INodeProperties } from 'n8n-workflow';
import type { Condition, Query } from '../../../../core';
import { forOperation, limit, returnAll, simplify } from '../../descriptions/common';
import { purpose as purposeField } from '../../descriptions/purpose';
import { listNewestFirst } from '../../operation/newest-first';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
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
			displayName: 'Created By',
			name: 'createdBy',
			type: 'options',
			options: [
				{ name: 'Me', value: 'me' },
				{
					name: 'Peers',
					value: 'peers',
					description: 'Templates that were loaded from others',
				},
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
		{ ...purposeField, description: 'Only templates for this purpose' },
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
			purpose: optionalText,
			title: optionalText,
		}),
	}),
);

type TemplateField = 'isOwn' | 'expiresAt' | 'purpose' | 'title';

export const getAll: Operation = {
	properties: forOperation('relationshipTemplate', 'getAll', fields),
	output: 'template',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const { createdBy, onlyValid, purpose, title } = parameters.filters;
		const where: Array<Condition<TemplateField>> = [];
		if (createdBy !== undefined) {
			where.push({ field: 'isOwn', op: 'eq', value: createdBy === 'me' });
		}
		if (onlyValid) where.push({ field: 'expiresAt', op: 'gt', value: new Date().toISOString() });
		if (purpose !== undefined) where.push({ field: 'purpose', op: 'eq', value: purpose });
		if (title !== undefined) where.push({ field: 'title', op: 'contains', value: title });
		const templates = await listNewestFirst(
			(query: Query<TemplateField>) => gateway.templates.list(query, { signal }),
			where,
			parameters,
		);
		return templates.map((one) => toRecord(parameters.simplify ? simplifyTemplate(one) : one));
	},
};
