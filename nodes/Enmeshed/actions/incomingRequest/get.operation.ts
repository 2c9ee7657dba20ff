import { forOperation, simplify } from '../../descriptions/common';
import { requestLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { PeerProfiles } from '../../gateway/peers';
import { simplifyIncoming } from '../../output/simplify-request';
import { toRecord } from '../../output/to-items';

const fields = [requestLocator('searchIncomingRequests'), simplify];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ request: locator, simplify: z.boolean() }),
);

export const get: Operation = {
	properties: forOperation('incomingRequest', 'get', fields),
	output: 'incomingRequest',

	async execute(call) {
		const { gateway, signal } = call;
		const { request: id, ...output } = await parseParameters(call, fields, inputSchema);
		const request = await gateway.incomingRequests.get(id, { signal });
		if (!output.simplify) return [toRecord(request)];
		return [toRecord(await simplifyIncoming(request, new PeerProfiles(gateway, { signal })))];
	},
};
