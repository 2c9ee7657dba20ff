import { forOperation, simplify } from '../../descriptions/common';
import { templateLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { describeTemplate, simplifyTemplate } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [templateLocator(), simplify];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ template: locator, simplify: z.boolean() }),
);

export const get: Operation = {
	properties: forOperation('relationshipTemplate', 'get', fields),
	output: 'template',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const template = await gateway.templates.get(parameters.template, { signal });
		return [
			toRecord(parameters.simplify ? simplifyTemplate(template) : describeTemplate(template)),
		];
	},
};
