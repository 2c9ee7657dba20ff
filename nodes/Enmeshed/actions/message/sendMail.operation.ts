import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { severalPeers } from '../../descriptions/locators';
import { idempotencyKey } from '../../helpers/idempotency-key';
import { attachmentList, attachmentsField, attachmentsOf, mailFields } from '../../helpers/mail';
import type { Operation } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { PeerProfiles } from '../../helpers/peers';
import { simplifyMessage } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	...mailFields,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			attachmentsField,
			severalPeers('CC', 'cc', 'People who get a copy; all recipients see them'),
			severalPeers(
				'More Recipients',
				'moreRecipients',
				"Further people in 'To'; all recipients see them",
			),
		],
	},
];

const inputSchema = parameterSchema((z, fields) => {
	const { locator, textList, exactText } = fields;
	return z.object({
		to: locator,
		subject: exactText,
		body: exactText,
		additionalFields: z.object({
			attachments: attachmentList(z, fields),
			cc: textList.default([]),
			moreRecipients: textList.default([]),
		}),
	});
});

export const sendMail: Operation = {
	properties: forOperation('message', 'sendMail', fields),
	output: 'message',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const { cc, moreRecipients } = parameters.additionalFields;
		const to = [parameters.to, ...moreRecipients];
		const { subject, body } = parameters;
		const attachments = await attachmentsOf(call, parameters.additionalFields);
		const input = {
			recipients: [...to, ...cc],
			...attachments,
			content: { '@type': 'Mail', to, ...(cc.length === 0 ? {} : { cc }), subject, body },
		};
		const once = idempotencyKey(call, () => input);
		const message = await gateway.messages.send(input, { signal, ...once });
		return [toRecord(await simplifyMessage(message, new PeerProfiles(gateway, { signal })))];
	},
};
