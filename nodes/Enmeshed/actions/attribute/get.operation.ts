import { forOperation, simplify } from '../../descriptions/common';
import { attributeLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyAttribute } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [attributeLocator('searchAllAttributes'), simplify];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ attribute: locator, simplify: z.boolean() }),
);

export const get: Operation = {
	properties: forOperation('attribute', 'get', fields),
	output: 'attribute',

	async execute(call) {
		const parameters = await parseParameters(call, fields, inputSchema);
		const attribute = await call.gateway.attributes.get(parameters.attribute, {
			signal: call.signal,
		});
		return [toRecord(parameters.simplify ? simplifyAttribute(attribute) : attribute)];
	},
};
