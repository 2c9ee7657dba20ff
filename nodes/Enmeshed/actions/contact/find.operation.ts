import type { INodeProperties } from 'n8n-workflow';
import { identityTypes } from '../../descriptions/attribute-types';
import { forOperation, limit, returnAll } from '../../descriptions/common';
import type { Operation, OperationCall } from '../../operation/operation';
import {
	parameterSchema,
	parseParameters,
	type ParameterSchema,
} from '../../fields/parse-parameters';
import { simplifyContact } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const findBy: INodeProperties = {
	displayName: 'Find By',
	name: 'findBy',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Attribute',
			value: 'attribute',
			description: 'Something that the person said about itself, such as a phone number',
		},
		{
			name: 'Email Address',
			value: 'emailAddress',
			description: 'As the person says; anyone can share any address',
		},
		{ name: 'Name', value: 'name', description: 'The name, or a part of it' },
		{
			name: 'Relationship Attribute',
			value: 'relationshipAttribute',
			description: 'Something that you have set for the person, such as a customer number',
		},
	],
	default: 'emailAddress',
	description:
		'What you know about the person. Upper and lower case make no difference. Only a relationship attribute that you have set proves who the person is.',
};

const emailAddress: INodeProperties = {
	displayName: 'Email Address',
	name: 'emailAddress',
	type: 'string',
	placeholder: 'e.g. name@email.com',
	displayOptions: { show: { findBy: ['emailAddress'] } },
	default: '',
	required: true,
};

const name: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	placeholder: 'e.g. Nathan Smith',
	displayOptions: { show: { findBy: ['name'] } },
	default: '',
	required: true,
	description: 'Display name, or first and last name; a part is enough',
};

const attributeType: INodeProperties = {
	displayName: 'Type',
	name: 'attributeType',
	type: 'options',
	displayOptions: { show: { findBy: ['attribute'] } },
	options: identityTypes.map((type) => ({ name: type.name, value: String(type.value) })),
	default: 'PhoneNumber',
};

const key: INodeProperties = {
	displayName: 'Key',
	name: 'key',
	type: 'string',
	placeholder: 'e.g. customerNumber',
	displayOptions: { show: { findBy: ['relationshipAttribute'] } },
	default: '',
	required: true,
	description: 'The key that the relationship attribute was created with',
};

const value: INodeProperties = {
	displayName: 'Value',
	name: 'value',
	type: 'string',
	placeholder: 'e.g. A-1042',
	displayOptions: { show: { findBy: ['attribute', 'relationshipAttribute'] } },
	default: '',
	required: true,
	description: 'The whole value. If it has several parts, one whole part is enough.',
};

const owner: INodeProperties = {
	displayName: 'Belongs To',
	name: 'owner',
	type: 'options',
	displayOptions: { show: { findBy: ['relationshipAttribute'] } },
	options: [
		{
			name: 'Anyone',
			value: 'any',
			description: 'Also what belongs to the person, who can change it and enter anything',
		},
		{ name: 'Me', value: 'own', description: 'Only what you have set; no peer can change it' },
	],
	default: 'own',
	description: 'Who owns the relationship attribute',
};

const ifSeveral: INodeProperties = {
	displayName: 'If Several Fit',
	name: 'ifSeveral',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'The node fails, and says how many people fit',
		},
		{
			name: 'Return All of Them',
			value: 'list',
			description: 'One item per person, the newest first',
		},
		{
			name: 'Take the First Connected',
			value: 'firstConnected',
			description: 'The person that has been connected for the longest time',
		},
	],
	default: 'fail',
	description: 'What happens when more than one person fits',
};

/** Fields of a page, which only a list has. */
const forList = ({ displayOptions, ...property }: INodeProperties): INodeProperties => ({
	...property,
	displayOptions: { show: { ...displayOptions?.show, ifSeveral: ['list'] } },
});

const page = [returnAll, limit].map(forList);

const fields: INodeProperties[] = [
	findBy,
	emailAddress,
	name,
	attributeType,
	key,
	value,
	owner,
	ifSeveral,
	...page,
];

const pageSchema = parameterSchema((z, field) =>
	z.object({
		findBy: z.enum(['attribute', 'emailAddress', 'name', 'relationshipAttribute']),
		ifSeveral: z.enum(['fail', 'firstConnected', 'list']).default('fail'),
		returnAll: z.boolean(),
		limit: field.limit,
	}),
);

/** Fields of each choice, and their values as the gateway takes them. */
const criteria: Readonly<
	Record<string, { fields: readonly INodeProperties[]; schema: ParameterSchema<object> }>
> = {
	emailAddress: {
		fields: [emailAddress],
		schema: parameterSchema((z, { text }) => z.object({ emailAddress: text })),
	},
	name: { fields: [name], schema: parameterSchema((z, { text }) => z.object({ name: text })) },
	attribute: {
		fields: [attributeType, value],
		schema: parameterSchema((z, { text }) =>
			z.object({ attributeType: text, value: text }).transform((entered) => ({
				attribute: { type: entered.attributeType, value: entered.value },
			})),
		),
	},
	relationshipAttribute: {
		fields: [key, value, owner],
		schema: parameterSchema((z, { text }) =>
			z.object({ key: text, value: text, owner: z.enum(['own', 'any']) }).transform((entered) => ({
				relationshipAttribute: entered,
			})),
		),
	},
};

export const find: Operation = {
	properties: forOperation('contact', 'find', fields),
	output: 'foundContact',

	async execute(call) {
		const { gateway, signal } = call;
		const entered = await parseParameters(call, [findBy, ifSeveral, ...page], pageSchema);
		const criterion = await readCriterion(call, entered.findBy);
		const contacts = await gateway.contacts.find(
			{
				...criterion,
				ifSeveral: entered.ifSeveral,
				...(entered.returnAll ? {} : { limit: entered.limit }),
			},
			{ signal },
		);
		return contacts.map((contact) => toRecord(simplifyContact(contact)));
	},
};

async function readCriterion(call: OperationCall, chosen: string): Promise<object> {
	const criterion = criteria[chosen];
	return criterion === undefined
		? {}
		: await parseParameters(call, criterion.fields, criterion.schema);
}
