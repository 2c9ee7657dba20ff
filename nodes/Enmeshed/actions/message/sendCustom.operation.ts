import type { INodeProperties } from 'n8n-workflow';
import type { MessageContentInput } from '../../../../core';
import { forOperation } from '../../descriptions/common';
import { peerLocator } from '../../descriptions/locators';
import { sendOncePer } from '../../descriptions/send-once-per';
import { idempotencyKey } from '../../sending/idempotency-key';
import { loadCore } from '../../gateway/core';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { PeerProfiles } from '../../gateway/peers';
import { simplifyMessage } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	{
		...peerLocator('searchActivePeers'),
		displayName: 'To',
		name: 'to',
		required: true,
		description:
			'The peer that gets the message, one for each item. There must be an active relationship with it.',
	},
	{
		displayName: 'Content',
		name: 'content',
		type: 'json',
		default: '{\n  "@type": "ArbitraryMessageContent",\n  "value": {}\n}',
		required: true,
		description: 'Content that both sides have agreed on; wallets of people show mails only',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [sendOncePer],
	},
];

const inputSchema = parameterSchema((z, { locator, jsonObject }) =>
	z.object({ to: locator, content: jsonObject }),
);

export const sendCustom: Operation = {
	properties: forOperation('message', 'sendCustom', fields),
	output: 'message',

	async execute(call) {
		const { gateway, signal } = call;
		const { to, content } = await parseParameters(call, fields, inputSchema);
		const { judged } = await loadCore();
		const input = { recipients: [to], content: judged<MessageContentInput>(content) };
		const once = await idempotencyKey(call, () => input);
		const message = await gateway.messages.send(input, { signal, ...once });
		return [toRecord(await simplifyMessage(message, new PeerProfiles(gateway, { signal })))];
	},
};
