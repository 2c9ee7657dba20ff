import { forOperation, simplify } from '../../descriptions/common';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { PeerProfiles } from '../../gateway/peers';
import { simplifyMessage, simplifyRelationship } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [simplify];

const inputSchema = parameterSchema((z) => z.object({ simplify: z.boolean() }));

export const sync: Operation = {
	properties: forOperation('account', 'sync', fields),
	output: 'sync',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const outcome = await gateway.account.sync({ signal });
		if (!parameters.simplify) return [toRecord(outcome)];
		const profiles = new PeerProfiles(gateway, { signal });
		const relationships = [];
		for (const relationship of outcome.relationships) {
			relationships.push(await simplifyRelationship(relationship, profiles));
		}
		const messages = [];
		for (const message of outcome.messages) {
			messages.push(await simplifyMessage(message, profiles));
		}
		return [toRecord({ relationships, messages, pendingFailures: outcome.pendingFailures })];
	},
};
