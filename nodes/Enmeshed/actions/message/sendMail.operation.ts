import type { INodeProperties } from 'n8n-workflow';
import type { Mail } from '../../../../core';
import { forOperation } from '../../descriptions/common';
import { severalPeers } from '../../descriptions/locators';
import { sendOncePer } from '../../descriptions/send-once-per';
import { idempotencyKey } from '../../sending/idempotency-key';
import {
	attachmentList,
	attachmentsField,
	attachmentsOf,
	mailFields,
	mailTextFields,
} from '../../fields/mail';
import { defined } from '../../helpers/members';
import { withHints, type Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { PeerProfiles } from '../../gateway/peers';
import { simplifyMessage } from '../../output/simplify';
import { toRecord } from '../../output/to-items';
import { requireCompleteTexts } from '../../waiting/reviewed-call';

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
			sendOncePer,
			{
				displayName: 'Text Is Markdown',
				name: 'isMarkdown',
				type: 'boolean',
				default: false,
				description:
					'Whether wallets of version 7.1 and later show the body as Markdown; others show it as it is',
			},
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
			isMarkdown: z.boolean('Expected true or false').default(false),
			moreRecipients: textList.default([]),
		}),
	});
});

export const sendMail: Operation = {
	properties: forOperation('message', 'sendMail', fields),
	output: 'message',

	async execute(call) {
		await requireCompleteTexts(call, mailTextFields);
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const { cc, isMarkdown, moreRecipients } = parameters.additionalFields;
		const to = [parameters.to, ...moreRecipients];
		const { subject, body } = parameters;
		const attachments = await attachmentsOf(call, parameters.additionalFields);
		// Names all members, so that a new one is not forgotten in the form.
		const members: { readonly [Name in keyof Mail]-?: Mail[Name] | undefined } = {
			'@type': 'Mail',
			to,
			cc: cc.length === 0 ? undefined : cc,
			subject,
			body,
			bodyFormat: isMarkdown ? 'Markdown' : undefined,
		};
		const content = { ...defined(members), '@type': 'Mail' as const, to, subject, body };
		const input = { recipients: [...to, ...cc], ...attachments, content };
		const once = await idempotencyKey(call, () => input);
		const message = await gateway.messages.send(input, { ...withHints(call), ...once });
		return [toRecord(await simplifyMessage(message, new PeerProfiles(gateway, { signal })))];
	},
};
