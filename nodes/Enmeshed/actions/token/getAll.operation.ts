import type { INodeProperties } from 'n8n-workflow';
import type { Condition, TokenField } from '../../../../core';
import { forOperation, limit, returnAll, simplify } from '../../descriptions/common';
import { newestFirst } from '../../helpers/newest-first';
import type { Operation } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { simplifyToken } from '../../helpers/simplify';
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
				{ name: 'Peers', value: 'peers', description: 'Tokens that were loaded from others' },
			],
			default: 'me',
		},
		{
			displayName: 'Only Valid',
			name: 'onlyValid',
			type: 'boolean',
			default: true,
			description: 'Whether to leave out tokens that have expired',
		},
	],
};

const fields: INodeProperties[] = [returnAll, limit, simplify, filters];

const inputSchema = parameterSchema((z, field) =>
	z.object({
		returnAll: z.boolean(),
		limit: field.limit,
		simplify: z.boolean(),
		filters: z.object({
			createdBy: z.enum(['me', 'peers']).optional(),
			onlyValid: z.boolean().default(false),
		}),
	}),
);

export const getAll: Operation = {
	properties: forOperation('token', 'getAll', fields),

	async execute(context) {
		const parameters = await parseParameters(context, fields, inputSchema);
		const { createdBy, onlyValid } = parameters.filters;
		const where: Array<Condition<TokenField>> = [];
		if (createdBy !== undefined) {
			where.push({ field: 'isOwn', op: 'eq', value: createdBy === 'me' });
		}
		if (onlyValid) where.push({ field: 'expiresAt', op: 'gt', value: new Date().toISOString() });
		const tokens = await context.gateway.tokens.list(newestFirst(where, parameters), {
			signal: context.signal,
		});
		return tokens.map((token) => toRecord(parameters.simplify ? simplifyToken(token) : token));
	},
};
