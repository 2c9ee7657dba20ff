import type { INodeProperties } from 'n8n-workflow';
import type { AttributeDto, GatewayFacade } from '../../../../core';
import { identityTypes } from '../../descriptions/attribute-types';
import { forOperation } from '../../descriptions/common';
import { identityValueFields } from '../../descriptions/identity-value';
import {
	identityValueOf,
	identityValueShape,
	requireIdentityValue,
} from '../../fields/identity-value';
import type { Operation, OperationCall } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { describeAttribute } from '../../gateway/peers';
import { simplifyAttribute } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

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
			{
				displayName: 'Notify Peers',
				name: 'notifyPeers',
				type: 'boolean',
				default: true,
				description: 'Whether connected peers that have an earlier version get the new one',
			},
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
			...(notifyPeers ? { notifiedPeers: await notify(call, attribute) } : {}),
		};
		return [toRecord(record)];
	},
};

/**
 * Notifies all connected peers that have an earlier version, also of an update before this one, so
 * that a repeated execution reaches the peers that a failed one has left out.
 */
async function notify(
	{ gateway, signal }: OperationCall,
	attribute: AttributeDto,
): Promise<string[]> {
	const copies = await gateway.attributes.sharedVersions(attribute.id, {}, { signal });
	const peers = [...new Set(copies.flatMap((copy) => outdatedPeer(copy, attribute)))];
	const active = await connectedPeers(gateway, peers, signal);
	for (const peer of active) {
		await gateway.attributes.notifyPeer(attribute.id, { peer }, { signal });
	}
	return active;
}

function outdatedPeer({ shareInfo, deletionInfo }: AttributeDto, { id }: AttributeDto): string[] {
	const isDeleted = /^(ToBe)?DeletedByPeer$/.test(deletionInfo?.deletionStatus ?? '');
	if (shareInfo === undefined || shareInfo.sourceAttribute === id || isDeleted) return [];
	return [shareInfo.peer];
}

async function connectedPeers(
	gateway: GatewayFacade,
	peers: readonly string[],
	signal: AbortSignal | undefined,
): Promise<string[]> {
	if (peers.length === 0) return [];
	const relationships = await gateway.relationships.list(
		{
			where: [
				{ field: 'peer', op: 'in', value: peers },
				{ field: 'status', op: 'eq', value: 'Active' },
			],
		},
		{ signal },
	);
	return relationships.map(({ peer }) => peer);
}
