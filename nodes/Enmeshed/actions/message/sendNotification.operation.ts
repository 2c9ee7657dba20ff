import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { peerLocator, severalPeers } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	{
		...peerLocator('searchActivePeers'),
		displayName: 'To',
		name: 'to',
		required: true,
		description:
			'The person whose phone shows the notification. There must be an active relationship.',
	},
	{
		displayName: 'Code',
		name: 'code',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. mbr.schoolModule.certificateNotification',
		description:
			'Stands for a text that the operator of the Backbone has configured. If the Backbone does not know the code, the error lists those it knows.',
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			severalPeers(
				'More Recipients',
				'moreRecipients',
				'Further people who get the notification, at most 99. They do not see one another',
			),
		],
	},
];

const inputSchema = parameterSchema((z, { locator, text, textList }) =>
	z.object({
		to: locator,
		code: text,
		additionalFields: z.object({ moreRecipients: textList.default([]) }),
	}),
);

export const sendNotification: Operation = {
	properties: forOperation('message', 'sendNotification', fields),
	output: 'sentNotification',

	async execute(call) {
		const { gateway, signal } = call;
		const { to, code, additionalFields } = await parseParameters(call, fields, inputSchema);
		const recipients = [...new Set([to, ...additionalFields.moreRecipients])];
		await gateway.backboneNotifications.send({ recipients, code }, { signal });
		return [toRecord({ sent: true, code, recipients })];
	},
};
