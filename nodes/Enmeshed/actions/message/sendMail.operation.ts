import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { idempotencyKey } from '../../helpers/idempotency-key';
import { attachmentFields, attachmentsOf, mailFields } from '../../helpers/mail';
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
			...attachmentFields,
			{
				displayName: 'CC',
				name: 'cc',
				type: 'string',
				default: '',
				placeholder: 'e.g. did:e:backbone.example.com:dids:4f1c0a2b9d8e7f60513244',
				description: 'Comma-separated addresses of peers that get a copy. All recipients see them.',
			},
			{
				displayName: 'More Recipients',
				name: 'moreRecipients',
				type: 'string',
				default: '',
				placeholder: 'e.g. did:e:backbone.example.com:dids:4f1c0a2b9d8e7f60513244',
				description: "Comma-separated addresses of further peers in 'To'. All recipients see them.",
			},
		],
	},
];

const inputSchema = parameterSchema((z, { locator, textList, exactText }) =>
	z.object({
		to: locator,
		subject: exactText,
		body: exactText,
		additionalFields: z.object({
			attachments: textList.default([]),
			inputFiles: textList.default([]),
			cc: textList.default([]),
			moreRecipients: textList.default([]),
		}),
	}),
);

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
