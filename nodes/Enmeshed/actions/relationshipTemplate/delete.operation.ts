import { forOperation } from '../../descriptions/common';
import { templateLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';

const fields = [templateLocator()];

const inputSchema = parameterSchema((z, { locator }) => z.object({ template: locator }));

export const deleteTemplate: Operation = {
	properties: forOperation('relationshipTemplate', 'delete', fields),
	output: 'deleted',

	async execute(call) {
		const { gateway, signal } = call;
		const { template } = await parseParameters(call, fields, inputSchema);
		await gateway.templates.delete(template, { signal });
		return [{ json: { deleted: true } }];
	},
};
