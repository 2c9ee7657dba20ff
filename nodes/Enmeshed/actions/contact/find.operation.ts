import type { INodeProperties } from 'n8n-workflow';
import { identityTypes } from '../../descriptions/attribute-types';
import { forOperation, limit, returnAll } from '../../descriptions/common';
import type { Operation, OperationCall } from '../../helpers/operation';
import {
	parameterSchema,
	parseParameters,
	type ParameterSchema,
} from '../../helpers/parse-parameters';
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
			description: 'Something that the person shared, such as a phone number',
		},
		{ name: 'Email Address', value: 'emailAddress' },
		{ name: 'Name', value: 'name', description: 'The name, or a part of it' },
		{
			name: 'Relationship Attribute',
			value: 'relationshipAttribute',
			description: 'Something that belongs to the relationship, such as a customer number',
		},
	],
	default: 'emailAddress',
	description: 'What you know about the person. Upper and lower case make no difference.',
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
	options: identityTypes.map((type) => ({ name: type.name, value: type.value as string })),
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

const fields: INodeProperties[] = [
	findBy,
	emailAddress,
	name,
	attributeType,
	key,
	value,
	returnAll,
	limit,
];

const pageSchema = parameterSchema((z, field) =>
	z.object({
		findBy: z.enum(['attribute', 'emailAddress', 'name', 'relationshipAttribute']),
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
		fields: [key, value],
		schema: parameterSchema((z, { text }) =>
			z.object({ key: text, value: text }).transform((entered) => ({
				relationshipAttribute: entered,
			})),
		),
	},
};

export const find: Operation = {
	properties: forOperation('contact', 'find', fields),
	output: 'contact',

	async execute(call) {
		const { gateway, signal } = call;
		const page = await parseParameters(call, [findBy, returnAll, limit], pageSchema);
		const criterion = await readCriterion(call, page.findBy);
		const contacts = await gateway.contacts.find(
			{ ...criterion, ...(page.returnAll ? {} : { limit: page.limit }) },
			{ signal },
		);
		return contacts.map((contact) => toRecord(contact));
	},
};

async function readCriterion(call: OperationCall, chosen: string): Promise<object> {
	const criterion = criteria[chosen];
	return criterion === undefined
		? {}
		: await parseParameters(call, criterion.fields, criterion.schema);
}
