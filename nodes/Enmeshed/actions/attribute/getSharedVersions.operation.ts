import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { attributeLocator, peerLocator } from '../../descriptions/locators';
import { defined } from '../../helpers/members';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyAttribute } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	attributeLocator('searchAllAttributes'),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
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
		options: z.object({ includeOld: z.boolean().default(false), peer: optionalText }),
	}),
);

export const getSharedVersions: Operation = {
	properties: forOperation('attribute', 'getSharedVersions', fields),
	output: 'attribute',

	async execute(call) {
		const { gateway, signal } = call;
		const { attribute: id, options } = await parseParameters(call, fields, inputSchema);
		const copies = await gateway.attributes.sharedVersions(
			id,
			{
				onlyLatestVersions: !options.includeOld,
				...defined({ peers: options.peer === undefined ? undefined : [options.peer] }),
			},
			{ signal },
		);
		return copies.map((copy) => toRecord(simplifyAttribute(copy)));
	},
};
