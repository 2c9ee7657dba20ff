import type { INodeProperties } from 'n8n-workflow';
import type { AttributeDto } from '../../../../core';
import { forOperation, simplify } from '../../descriptions/common';
import { attributeLocator, peerLocator } from '../../descriptions/locators';
import { defined } from '../../helpers/members';
import type { Operation, OperationCall } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyAttribute } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	attributeLocator('searchAllAttributes'),
	{
		displayName: 'Return',
		name: 'versions',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Attribute', value: 'this' },
			{
				name: 'All Versions',
				value: 'all',
				description: 'The attribute in all its versions, the newest first',
			},
			{
				name: 'Versions That Peers Have',
				value: 'shared',
				description: 'One item for each peer and version that it has',
			},
		],
		default: 'this',
	},
	simplify,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		displayOptions: { show: { versions: ['shared'] } },
		default: {},
		options: [
			{
				displayName: 'Include Old Versions',
				name: 'includeOld',
				type: 'boolean',
				default: true,
				description: 'Whether to return copies that were replaced by newer ones, too',
			},
			{ ...peerLocator(), description: 'Only what this peer has' },
		],
	},
];

const inputSchema = parameterSchema((z, { locator, optionalText }) =>
	z.object({
		attribute: locator,
		versions: z.enum(['this', 'all', 'shared']),
		simplify: z.boolean(),
		options: z.object({ includeOld: z.boolean().default(false), peer: optionalText }),
	}),
);

export const get: Operation = {
	properties: forOperation('attribute', 'get', fields),
	output: 'attribute',

	async execute(call) {
		const parameters = await parseParameters(call, fields, inputSchema);
		const found = await read[parameters.versions](call, parameters);
		return found.map((one) => toRecord(parameters.simplify ? simplifyAttribute(one) : one));
	},
};

interface Entered {
	readonly attribute: string;
	readonly options: { readonly includeOld: boolean; readonly peer?: string | undefined };
}

type Read = (call: OperationCall, entered: Entered) => Promise<readonly AttributeDto[]>;

const read: Readonly<Record<'this' | 'all' | 'shared', Read>> = {
	this: async ({ gateway, signal }, { attribute }) => [
		await gateway.attributes.get(attribute, { signal }),
	],
	all: async ({ gateway, signal }, { attribute }) =>
		await gateway.attributes.versions(attribute, { signal }),
	shared: async ({ gateway, signal }, { attribute, options: { includeOld, peer } }) => {
		const query = {
			onlyLatestVersions: !includeOld,
			...defined({ peers: peer === undefined ? undefined : [peer] }),
		};
		return await gateway.attributes.sharedVersions(attribute, query, { signal });
	},
};
