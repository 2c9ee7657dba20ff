import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { peerLocator } from '../../descriptions/locators';
import { readBinary } from '../../helpers/binary';
import { idempotencyKey, sha256 } from '../../helpers/idempotency-key';
import type { Operation, OperationCall } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { PeerProfiles } from '../../helpers/peers';
import { simplifyMessage } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	{
		...peerLocator('searchActivePeers'),
		displayName: 'To',
		name: 'to',
		required: true,
		description:
			'The peer that gets the mail, one for each item. There must be an active relationship with it.',
	},
	{
		displayName: 'Subject',
		name: 'subject',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Welcome',
	},
	{
		displayName: 'Body',
		name: 'body',
		type: 'string',
		typeOptions: { rows: 5 },
		default: '',
		required: true,
		placeholder: 'e.g. Thank you for connecting with us.',
		description: 'Text of the mail, as the peer reads it',
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			{
				displayName: 'Attached File IDs',
				name: 'attachments',
				type: 'string',
				default: '',
				placeholder: 'e.g. FILa1B2c3D4e5F6g7H8i',
				description: 'Comma-separated IDs of uploaded or loaded files to send along',
			},
			{
				displayName: 'Attached Input Files',
				name: 'inputFiles',
				type: 'string',
				default: '',
				placeholder: 'e.g. data',
				description: 'Comma-separated names of input binary fields to upload and send along',
			},
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
			...(attachments.length === 0 ? {} : { attachments }),
			content: { '@type': 'Mail', to, ...(cc.length === 0 ? {} : { cc }), subject, body },
		};
		const once = idempotencyKey(call, () => input);
		const message = await gateway.messages.send(input, { signal, ...once });
		return [toRecord(await simplifyMessage(message, new PeerProfiles(gateway, { signal })))];
	},
};

/** Files that the form names, and files of the input item, which are uploaded first. */
async function attachmentsOf(
	call: OperationCall,
	{ attachments, inputFiles }: { attachments: string[]; inputFiles: string[] },
): Promise<string[]> {
	const { gateway, signal } = call;
	const ids = [...attachments];
	for (const [index, field] of inputFiles.entries()) {
		const { content, ...named } = await readBinary(call, field);
		const once = idempotencyKey(call, () => [named, sha256(content)], `${index} ${field}`);
		ids.push((await gateway.files.upload(named, content, { signal, ...once })).id);
	}
	return ids;
}
