import { forOperation, simplify } from '../../descriptions/common';
import { messageLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { PeerProfiles } from '../../gateway/peers';
import { simplifyMessage } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [messageLocator(), simplify];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ message: locator, simplify: z.boolean() }),
);

export const get: Operation = {
	properties: forOperation('message', 'get', fields),
	output: 'message',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const message = await gateway.messages.get(parameters.message, { signal });
		if (!parameters.simplify) return [toRecord(message)];
		return [toRecord(await simplifyMessage(message, new PeerProfiles(gateway, { signal })))];
	},
};
