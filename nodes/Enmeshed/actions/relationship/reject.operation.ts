import { forOperation } from '../../descriptions/common';
import { relationshipLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { describedRelationship } from './described-relationship';

const fields = [relationshipLocator()];

const inputSchema = parameterSchema((z, { locator }) => z.object({ relationship: locator }));

export const reject: Operation = {
	properties: forOperation('relationship', 'reject', fields),
	output: 'relationship',

	async execute(call) {
		const { gateway, signal } = call;
		const { relationship: id } = await parseParameters(call, fields, inputSchema);
		return [await describedRelationship(call, await gateway.relationships.reject(id, { signal }))];
	},
};
