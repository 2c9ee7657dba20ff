import type { INodeProperties } from 'n8n-workflow';
import { forOperation, simplify } from '../../descriptions/common';
import { messageLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { PeerProfiles } from '../../gateway/peers';
import { simplifyMessage } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	messageLocator(),
	{
		displayName: 'Mark as Read',
		name: 'markAsRead',
		type: 'boolean',
		default: false,
		description: 'Whether to note that the message was read, without telling its sender',
	},
	simplify,
];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ message: locator, markAsRead: z.boolean(), simplify: z.boolean() }),
);

export const get: Operation = {
	properties: forOperation('message', 'get', fields),
	output: 'message',

	async execute(call) {
		const { gateway, signal } = call;
		const { message: id, markAsRead, ...output } = await parseParameters(call, fields, inputSchema);
		const message = await gateway.messages[markAsRead ? 'markAsRead' : 'get'](id, { signal });
		if (!output.simplify) return [toRecord(message)];
		return [toRecord(await simplifyMessage(message, new PeerProfiles(gateway, { signal })))];
	},
};
