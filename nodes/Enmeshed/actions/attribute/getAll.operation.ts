import type { INodeProperties } from 'n8n-workflow';
import type { AttributeField, Condition, Query } from '../../../../core';
import { storedTypes } from '../../descriptions/attribute-types';
import { forOperation, limit, returnAll, simplify } from '../../descriptions/common';
import { peerLocator } from '../../descriptions/locators';
import { listNewestFirst } from '../../operation/newest-first';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyAttribute } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{
			displayName: 'Include Old Versions',
			name: 'includeOld',
			type: 'boolean',
			default: true,
			description: 'Whether to return versions that were replaced by newer ones, too',
		},
		{
			...peerLocator(),
			description: 'Only what was shared with this peer or by it',
		},
		{
			displayName: 'Type',
			name: 'valueTypes',
			type: 'multiOptions',
			options: storedTypes,
			default: [],
		},
	],
};

const fields: INodeProperties[] = [
	{
		displayName: 'Show',
		name: 'kind',
		type: 'options',
		options: [
			{
				name: 'My Attributes',
				value: 'own',
				description: 'What you created and can share',
			},
			{
				name: 'Shared by Peers',
				value: 'sharedByPeers',
				description: 'What peers told you about themselves',
			},
			{
				name: 'Shared With Peers',
				value: 'sharedWithPeers',
				description: 'What you told peers about yourself',
			},
		],
		default: 'own',
	},
	returnAll,
	limit,
	simplify,
	filters,
];

const inputSchema = parameterSchema((z, { optionalText, ...field }) =>
	z.object({
		kind: z.enum(['own', 'sharedByPeers', 'sharedWithPeers']),
		returnAll: z.boolean(),
		limit: field.limit,
		simplify: z.boolean(),
		filters: z.object({
			includeOld: z.boolean().default(false),
			peer: optionalText,
			valueTypes: z.array(z.string()).default([]),
		}),
	}),
);

export const getAll: Operation = {
	properties: forOperation('attribute', 'getAll', fields),
	output: 'attribute',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const { address } = await gateway.account.getIdentity({ signal });
		const where = conditionsOf(parameters.kind, parameters.filters, address);
		const attributes = await listNewestFirst(
			(query: Query<AttributeField>) => gateway.attributes.list(query, { signal }),
			where,
			parameters,
		);
		return attributes.map((attribute) =>
			toRecord(parameters.simplify ? simplifyAttribute(attribute) : attribute),
		);
	},
};

function conditionsOf(
	kind: 'own' | 'sharedByPeers' | 'sharedWithPeers',
	filters: { includeOld: boolean; peer?: string | undefined; valueTypes: string[] },
	address: string,
): Array<Condition<AttributeField>> {
	const byKind: Record<typeof kind, Array<Condition<AttributeField>>> = {
		own: [{ field: 'peer', op: 'missing' }],
		sharedByPeers: [
			{ field: 'peer', op: 'exists' },
			{ field: 'owner', op: 'ne', value: address },
		],
		sharedWithPeers: [
			{ field: 'peer', op: 'exists' },
			{ field: 'owner', op: 'eq', value: address },
		],
	};
	const where = byKind[kind];
	if (!filters.includeOld) where.push({ field: 'succeededBy', op: 'missing' });
	if (filters.peer !== undefined) where.push({ field: 'peer', op: 'eq', value: filters.peer });
	if (filters.valueTypes.length > 0) {
		where.push({ field: 'valueType', op: 'in', value: filters.valueTypes });
	}
	return where;
}
