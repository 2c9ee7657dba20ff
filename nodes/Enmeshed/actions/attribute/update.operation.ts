import type { INodeProperties } from 'n8n-workflow';
import type { AttributeDto, SucceedAttributeInput } from '../../../../core';
import { identityTypes, relationshipTypes } from '../../descriptions/attribute-types';
import { forOperation } from '../../descriptions/common';
import { identityValueFields } from '../../descriptions/identity-value';
import { attributeLocator } from '../../descriptions/locators';
import { relationshipValueFields } from '../../descriptions/relationship-value';
import {
	identityValueOf,
	identityValueShape,
	requireIdentityValue,
} from '../../fields/identity-value';
import { textMember } from '../../helpers/members';
import type { Operation, OperationCall } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import {
	relationshipValueOf,
	relationshipValueShape,
	requireRelationshipValue,
} from '../../fields/relationship-value';
import { simplifySuccession } from '../../output/simplify';
import { toRecord } from '../../output/to-items';
import { notifyAll, notifyPeersOption } from './notify-peers';

const ofIdentity = { attributeKind: ['identity'] };
const ofRelationship = { attributeKind: ['relationship'] };

const common: INodeProperties[] = [
	{
		...attributeLocator('searchOwnAttributes'),
		description: 'Your own attribute that gets a new version',
	},
	{
		displayName: 'Kind',
		name: 'attributeKind',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'About Me', value: 'identity', description: 'What you created and can share' },
			{
				name: 'About a Relationship',
				value: 'relationship',
				description:
					'What you store about your relationship with a peer. The peer is notified at once.',
			},
		],
		default: 'identity',
		description: 'What the attribute is about',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		displayOptions: { show: ofIdentity },
		default: {},
		options: [
			notifyPeersOption,
			{
				displayName: 'Tags',
				name: 'tags',
				type: 'string',
				default: '',
				placeholder: 'e.g. x:private, x:work',
				description: 'Comma-separated. Without this option the tags stay as they are.',
			},
		],
	},
];

const identityFields: INodeProperties[] = [
	{
		displayName: 'Type',
		name: 'valueType',
		type: 'options',
		displayOptions: { show: ofIdentity },
		options: identityTypes,
		default: 'DisplayName',
		description: 'The type that the attribute has; it cannot change',
	},
	...identityValueFields(ofIdentity),
];

const relationshipFields: INodeProperties[] = [
	{
		displayName: 'Value Type',
		name: 'relationshipValueType',
		type: 'options',
		displayOptions: { show: ofRelationship },
		options: relationshipTypes,
		default: 'ProprietaryString',
		description: 'The type that the attribute has; it cannot change',
	},
	...relationshipValueFields(ofRelationship),
];

const commonSchema = parameterSchema((z, { locator, textList }) =>
	z.object({
		attribute: locator,
		attributeKind: z.enum(['identity', 'relationship']),
		options: z.object({ notifyPeers: z.boolean().default(false), tags: textList.optional() }),
	}),
);

const identitySchema = parameterSchema((z, schemas) =>
	z
		.object({ ...identityValueShape(schemas), valueType: schemas.text })
		.superRefine(requireIdentityValue),
);

const relationshipSchema = parameterSchema((z, schemas) =>
	z
		.object({ ...relationshipValueShape(z, schemas), key: z.string().default('') })
		.superRefine(requireRelationshipValue),
);

export const update: Operation = {
	properties: forOperation('attribute', 'update', [
		...common.slice(0, 2),
		...identityFields,
		...relationshipFields,
		...common.slice(2),
	]),
	output: 'succession',

	async execute(call) {
		const { gateway, signal } = call;
		const entered = await parseParameters(call, common, commonSchema);
		const predecessor = await gateway.attributes.get(entered.attribute, { signal });
		const successorContent =
			entered.attributeKind === 'identity'
				? await identityContent(call, predecessor, entered.options.tags)
				: await relationshipContent(call, predecessor);
		const input = { successorContent };
		const succession = await gateway.attributes.succeed(predecessor.id, input, { signal });
		const { successor } = succession;
		const isToNotify = entered.attributeKind === 'identity' && entered.options.notifyPeers;
		return [
			toRecord({
				...simplifySuccession(succession),
				...(isToNotify ? { notifiedPeers: await notifyAll(call, successor) } : {}),
			}),
		];
	},
};

type SuccessorContent = SucceedAttributeInput['successorContent'];

async function identityContent(
	call: OperationCall,
	{ content }: AttributeDto,
	entered: readonly string[] | undefined,
): Promise<SuccessorContent> {
	const value = await parseParameters(call, identityFields, identitySchema);
	const kept = content['@type'] === 'IdentityAttribute' ? content.tags : undefined;
	const tags = entered ?? kept ?? [];
	return {
		value: identityValueOf(value),
		...(tags.length > 0 ? { tags } : {}),
	};
}

/** Content of the new version, with title and description of the previous one. */
async function relationshipContent(
	call: OperationCall,
	{ content }: AttributeDto,
): Promise<SuccessorContent> {
	const entered = await parseParameters(call, relationshipFields, relationshipSchema);
	const previous = Object.hasOwn(content, 'value') ? (content['value'] as object) : {};
	const value = relationshipValueOf({
		...entered,
		attributeTitle: textMember(previous, 'title'),
		attributeDescription: textMember(previous, 'description'),
	});
	return { value };
}
