import type { INodeProperties } from 'n8n-workflow';
import { forOperation, referenceField, simplify } from '../../descriptions/common';
import { openingPassword } from '../../descriptions/protection';
import { defined } from '../../helpers/members';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyFile } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	{
		...referenceField,
		description: 'Link or text of the QR code of the file, or of a token for it',
	},
	openingPassword,
	simplify,
];

const inputSchema = parameterSchema((z, { text, optionalText }) =>
	z.object({ reference: text, password: optionalText, simplify: z.boolean() }),
);

export const loadFromReference: Operation = {
	properties: forOperation('file', 'loadFromReference', fields),
	output: 'file',

	async execute(call) {
		const { gateway, signal } = call;
		const { reference, password, ...shown } = await parseParameters(call, fields, inputSchema);
		const input = { reference, ...defined({ password }) };
		const file = await gateway.files.getOrLoad(input, { signal });
		return [toRecord(shown.simplify ? simplifyFile(file) : file)];
	},
};
