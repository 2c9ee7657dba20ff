import { forOperation, simplify } from '../../descriptions/common';
import { requestLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { PeerProfiles } from '../../gateway/peers';
import { describeOutgoing } from '../../output/simplify-request';
import { toRecord } from '../../output/to-items';

const fields = [requestLocator('searchOutgoingRequests'), simplify];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ request: locator, simplify: z.boolean() }),
);

export const get: Operation = {
	properties: forOperation('outgoingRequest', 'get', fields),
	output: 'request',

	async execute(call) {
		const { gateway, signal } = call;
		const { request: id, ...output } = await parseParameters(call, fields, inputSchema);
		const request = await gateway.outgoingRequests.get(id, { signal });
		if (!output.simplify) return [toRecord(request)];
		const profiles = new PeerProfiles(gateway, { signal });
		const described = await describeOutgoing([request], gateway, profiles, { signal });
		return described.map((one) => toRecord(one));
	},
};
