import { forOperation, simplify } from '../../descriptions/common';
import { relationshipLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { PeerProfiles } from '../../gateway/peers';
import { simplifyRelationship } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [relationshipLocator(), simplify];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ relationship: locator, simplify: z.boolean() }),
);

export const get: Operation = {
	properties: forOperation('relationship', 'get', fields),
	output: 'relationship',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const relationship = await gateway.relationships.get(parameters.relationship, { signal });
		if (!parameters.simplify) return [toRecord(relationship)];
		const profiles = new PeerProfiles(gateway, { signal });
		return [toRecord(await simplifyRelationship(relationship, profiles))];
	},
};
