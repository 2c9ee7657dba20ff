import { forOperation, referenceField, simplify } from '../../descriptions/common';
import { openingPassword } from '../../descriptions/protection';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { describeTemplate, simplifyTemplate } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [referenceField, openingPassword, simplify];

const inputSchema = parameterSchema((z, { text, optionalText }) =>
	z.object({ reference: text, password: optionalText, simplify: z.boolean() }),
);

export const loadFromReference: Operation = {
	properties: forOperation('relationshipTemplate', 'loadFromReference', fields),
	output: 'template',

	async execute(call) {
		const { gateway, signal } = call;
		const { reference, password, ...shown } = await parseParameters(call, fields, inputSchema);
		const input = { reference, ...(password === undefined ? {} : { password }) };
		const template = await gateway.templates.loadPeer(input, { signal });
		return [toRecord(shown.simplify ? simplifyTemplate(template) : describeTemplate(template))];
	},
};
