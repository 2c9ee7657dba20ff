import type { INodeProperties } from 'n8n-workflow';
import { attributeTypes } from '../../descriptions/attribute-types';
import { forOperation } from '../../descriptions/common';
import type { Operation } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { simplifyAttribute } from '../../helpers/simplify';
import { toRecord } from '../../helpers/to-items';

const fields: INodeProperties[] = [
	{
		displayName: 'Type',
		name: 'valueType',
		type: 'options',
		options: attributeTypes,
		default: 'DisplayName',
		description: 'What kind of information about you this is',
	},
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Example Organisation',
		description: 'What peers will see once you share it',
	},
];

const inputSchema = parameterSchema((z, { text }) => z.object({ valueType: text, value: text }));

export const create: Operation = {
	properties: forOperation('attribute', 'create', fields),

	async execute(context) {
		const { valueType, value } = await parseParameters(context, fields, inputSchema);
		const attribute = await context.gateway.attributes.create(
			{ content: { value: { '@type': valueType, value } } },
			{ signal: context.signal },
		);
		return [toRecord(simplifyAttribute(attribute))];
	},
};
