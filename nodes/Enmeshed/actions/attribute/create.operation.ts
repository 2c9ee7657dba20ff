import type { INodeProperties } from 'n8n-workflow';
import { identityTypes } from '../../descriptions/attribute-types';
import { forOperation } from '../../descriptions/common';
import { identityValueFields } from '../../descriptions/identity-value';
import {
	identityValueOf,
	identityValueShape,
	requireIdentityValue,
} from '../../fields/identity-value';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyAttribute } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	{
		displayName: 'Type',
		name: 'valueType',
		type: 'options',
		options: identityTypes,
		default: 'DisplayName',
		description: 'What kind of information about you this is',
	},
	...identityValueFields(),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Tags',
				name: 'tags',
				type: 'string',
				default: '',
				placeholder: 'e.g. x:private, x:work',
				description: "Comma-separated. Newer wallets accept only tags that begin with 'x:'.",
			},
		],
	},
];

const inputSchema = parameterSchema((z, schemas) =>
	z
		.object({
			...identityValueShape(schemas),
			options: z.object({ tags: schemas.textList.default([]) }),
		})
		.superRefine(requireIdentityValue),
);

export const create: Operation = {
	properties: forOperation('attribute', 'create', fields),
	output: 'attribute',

	async execute(call) {
		const { options, ...entered } = await parseParameters(call, fields, inputSchema);
		const { tags } = options;
		const attribute = await call.gateway.attributes.create(
			{
				content: {
					value: identityValueOf(entered),
					...(tags.length === 0 ? {} : { tags }),
				},
			},
			{ signal: call.signal },
		);
		return [toRecord(simplifyAttribute(attribute))];
	},
};
