import { forOperation } from '../../descriptions/common';
import { requestLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { toRecord } from '../../output/to-items';

const fields = [requestLocator('searchDrafts')];

const inputSchema = parameterSchema((z, { locator }) => z.object({ request: locator }));

export const discard: Operation = {
	properties: forOperation('outgoingRequest', 'discard', fields),
	output: 'deleted',

	async execute(call) {
		const { gateway, signal } = call;
		const { request } = await parseParameters(call, fields, inputSchema);
		await gateway.outgoingRequests.discard(request, { signal });
		return [toRecord({ deleted: true })];
	},
};
