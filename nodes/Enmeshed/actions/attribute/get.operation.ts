import { forOperation, simplify } from '../../descriptions/common';
import { attributeLocator } from '../../descriptions/locators';
import type { Operation } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { simplifyAttribute } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [attributeLocator('searchAllAttributes'), simplify];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ attribute: locator, simplify: z.boolean() }),
);

export const get: Operation = {
	properties: forOperation('attribute', 'get', fields),
	output: 'attribute',

	async execute(context) {
		const parameters = await parseParameters(context, fields, inputSchema);
		const attribute = await context.gateway.attributes.get(parameters.attribute, {
			signal: context.signal,
		});
		return [toRecord(parameters.simplify ? simplifyAttribute(attribute) : attribute)];
	},
};
