import { forOperation } from '../../descriptions/common';
import { relationshipLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';

const fields = [relationshipLocator()];

const inputSchema = parameterSchema((z, { locator }) => z.object({ relationship: locator }));

export const decompose: Operation = {
	properties: forOperation('relationship', 'decompose', fields),
	output: 'deleted',

	async execute(call) {
		const { gateway, signal } = call;
		const { relationship } = await parseParameters(call, fields, inputSchema);
		await gateway.relationships.decompose(relationship, { signal });
		return [{ json: { deleted: true } }];
	},
};
