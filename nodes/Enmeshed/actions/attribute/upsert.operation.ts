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
import { describeAttribute } from '../../gateway/peers';
import { simplifyAttribute } from '../../output/simplify';
import { toRecord } from '../../output/to-items';
import { notifyAll, notifyPeersOption } from './notify-peers';

const fields: INodeProperties[] = [
	{
		displayName: 'Type',
		name: 'valueType',
		type: 'options',
		options: identityTypes,
		default: 'DisplayName',
		description: 'The newest attribute of this type gets the value; without one, it is created',
	},
	...identityValueFields(),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			notifyPeersOption,
			{
				displayName: 'Tags',
				name: 'tags',
				type: 'string',
				default: '',
				placeholder: 'e.g. x:private, x:work',
				description:
					'Comma-separated tags for a new value. Without this option the tags stay as they are.',
			},
		],
	},
];

const inputSchema = parameterSchema((z, schemas) =>
	z
		.object({
			...identityValueShape(schemas),
			options: z.object({
				notifyPeers: z.boolean().default(false),
				tags: schemas.textList.optional(),
			}),
		})
		.superRefine(requireIdentityValue),
);

const results = { created: 'created', succeeded: 'updated', unchanged: 'unchanged' } as const;

export const upsert: Operation = {
	properties: forOperation('attribute', 'upsert', fields),
	output: 'upsertedAttribute',

	async execute(call) {
		const { gateway, signal } = call;
		const { options, ...entered } = await parseParameters(call, fields, inputSchema);
		const { tags, notifyPeers } = options;
		const content = {
			value: identityValueOf(entered),
			...(tags === undefined ? {} : { tags }),
		};
		const upserted = await gateway.attributes.upsert({ content }, { signal });
		const { attribute, outcome, predecessor } = upserted;
		const record = {
			...simplifyAttribute(attribute),
			result: results[outcome],
			...(predecessor === undefined ? {} : { previousValue: describeAttribute(predecessor).value }),
			...(notifyPeers ? { notifiedPeers: await notifyAll(call, attribute) } : {}),
		};
		return [toRecord(record)];
	},
};
