import type { INodeProperties } from 'n8n-workflow';
import type { AttributeDto } from '../../../../core';
import { identityTypes } from '../../descriptions/attribute-types';
import { forOperation, simplify } from '../../descriptions/common';
import { peerLocator } from '../../descriptions/locators';
import { loadCore } from '../../gateway/core';
import { isNotFound } from '../../errors/not-found';
import type { Operation, OperationCall } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyAttribute } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const forKinds = (...queryKind: string[]): Pick<INodeProperties, 'displayOptions'> => ({
	displayOptions: { show: { queryKind } },
});

const fields: INodeProperties[] = [
	{
		displayName: 'Query',
		name: 'queryKind',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Expression (IQL)',
				value: 'iql',
				description: 'Own attributes that match an expression of the query language',
			},
			{
				name: 'Relationship Attribute',
				value: 'relationship',
				description: 'The attribute of a relationship that has a certain key',
			},
			{
				name: 'Relationship Attributes of Third Parties',
				value: 'thirdParty',
				description: 'Attributes with a certain key in the relationship with a person',
			},
			{ name: 'Type', value: 'identity', description: 'Own attributes of a type' },
		],
		default: 'identity',
	},
	{
		displayName: 'Type',
		name: 'valueType',
		type: 'options',
		...forKinds('identity'),
		options: identityTypes,
		default: 'DisplayName',
	},
	{
		displayName: 'Tags',
		name: 'tags',
		type: 'string',
		...forKinds('identity'),
		default: '',
		placeholder: 'e.g. x:private, x:work',
		description: 'Comma-separated; the attribute must have at least one of them. Empty for any.',
	},
	{
		displayName: 'Expression',
		name: 'queryString',
		type: 'string',
		...forKinds('iql'),
		default: '',
		required: true,
		placeholder: "e.g. StreetAddress.city='Heidelberg'",
		description: "Combined with '&&', '||' and '!', with blanks inside parentheses",
	},
	{
		displayName: 'Key',
		name: 'key',
		type: 'string',
		...forKinds('relationship', 'thirdParty'),
		default: '',
		required: true,
		placeholder: 'e.g. customerNumber',
	},
	{
		...peerLocator(),
		displayName: 'Owner',
		name: 'owner',
		...forKinds('relationship'),
		description: 'The peer that the attribute belongs to. Empty when it belongs to you.',
	},
	{
		...peerLocator(),
		displayName: 'Third Party',
		name: 'thirdParty',
		...forKinds('thirdParty'),
		description: 'The peer of the relationship. Empty for any.',
	},
	simplify,
];

const inputSchema = parameterSchema((z, { optionalText, textList }) =>
	z.object({
		queryKind: z.enum(['identity', 'iql', 'relationship', 'thirdParty']),
		valueType: optionalText,
		tags: textList,
		queryString: optionalText,
		key: optionalText,
		owner: optionalText,
		thirdParty: optionalText,
		simplify: z.boolean(),
	}),
);

export const executeQuery: Operation = {
	properties: forOperation('attribute', 'executeQuery', fields),
	output: 'attribute',

	async execute(call) {
		const { simplify: isSimple, ...query } = await parseParameters(call, fields, inputSchema);
		const found = await find(call, query);
		return found.map((attribute) => toRecord(isSimple ? simplifyAttribute(attribute) : attribute));
	},
};

interface Entered {
	readonly queryKind: 'identity' | 'iql' | 'relationship' | 'thirdParty';
	readonly valueType?: string | undefined;
	readonly tags: readonly string[];
	readonly queryString?: string | undefined;
	readonly key?: string | undefined;
	readonly owner?: string | undefined;
	readonly thirdParty?: string | undefined;
}

/** Placeholder for the hints of a query, which matter only for creating an attribute. */
const noHints = { title: '-', valueType: 'ProprietaryString', confidentiality: 'public' };

async function find(
	{ gateway: { attributes }, signal }: OperationCall,
	{ queryKind, valueType, tags, queryString, key, owner = '', thirdParty = '' }: Entered,
): Promise<AttributeDto[]> {
	const { judged } = await loadCore();
	switch (queryKind) {
		case 'identity': {
			const query = {
				'@type': 'IdentityAttributeQuery',
				valueType,
				...(tags.length === 0 ? {} : { tags }),
			};
			return await attributes.executeIdentityAttributeQuery(judged({ query }), { signal });
		}
		case 'iql': {
			const query = { '@type': 'IQLQuery' as const, queryString: queryString ?? '' };
			return await attributes.executeIqlQuery({ query }, { signal });
		}
		case 'relationship': {
			const query = {
				'@type': 'RelationshipAttributeQuery',
				key,
				owner,
				attributeCreationHints: noHints,
			};
			return await attributes.executeRelationshipAttributeQuery(judged({ query }), { signal }).then(
				(found) => [found],
				(error: unknown) => (isNotFound(error) ? [] : Promise.reject(error)),
			);
		}
		case 'thirdParty': {
			const query = {
				'@type': 'ThirdPartyRelationshipAttributeQuery',
				key,
				owner: '',
				thirdParty: [thirdParty],
			};
			return await attributes.executeThirdPartyRelationshipAttributeQuery(judged({ query }), {
				signal,
			});
		}
	}
}
