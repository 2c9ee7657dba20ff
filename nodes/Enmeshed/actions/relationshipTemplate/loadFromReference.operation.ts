import type { INodeProperties } from 'n8n-workflow';
import { forOperation, simplify } from '../../descriptions/common';
import type { Operation } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { describeTemplate, simplifyTemplate } from '../../helpers/simplify';
import { toRecord } from '../../helpers/to-items';

const fields: INodeProperties[] = [
	{
		displayName: 'Reference',
		name: 'reference',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://backbone.example.com/r/RLTa1B2c3D4e5F6g7H8i#…',
		description: 'The link or the text of the QR code that the peer shows',
	},
	{
		displayName: 'Password',
		name: 'password',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Needed for templates that are protected by a password or PIN',
	},
	simplify,
];

const inputSchema = parameterSchema((z, { text, optionalText }) =>
	z.object({ reference: text, password: optionalText, simplify: z.boolean() }),
);

export const loadFromReference: Operation = {
	properties: forOperation('relationshipTemplate', 'loadFromReference', fields),

	async execute(context) {
		const { gateway, signal } = context;
		const { reference, password, ...shown } = await parseParameters(context, fields, inputSchema);
		const input = { reference, ...(password === undefined ? {} : { password }) };
		const template = await gateway.templates.loadPeer(input, { signal });
		return [toRecord(shown.simplify ? simplifyTemplate(template) : describeTemplate(template))];
	},
};
