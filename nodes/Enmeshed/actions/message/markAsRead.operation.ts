import { forOperation } from '../../descriptions/common';
import { messageLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { PeerProfiles } from '../../gateway/peers';
import { simplifyMessage } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [messageLocator()];

const inputSchema = parameterSchema((z, { locator }) => z.object({ message: locator }));

export const markAsRead: Operation = {
	properties: forOperation('message', 'markAsRead', fields),
	output: 'message',

	async execute(call) {
		const { gateway, signal } = call;
		const { message: id } = await parseParameters(call, fields, inputSchema);
		const message = await gateway.messages.markAsRead(id, { signal });
		return [toRecord(await simplifyMessage(message, new PeerProfiles(gateway, { signal })))];
	},
};
