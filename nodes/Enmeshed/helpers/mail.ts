import type { INodeProperties } from 'n8n-workflow';
import { peerLocator } from '../descriptions/locators';
import { readBinary } from './binary';
import { idempotencyKey, sha256 } from './idempotency-key';
import type { OperationCall } from './operation';

/** Recipient, subject and text of a mail. */
export const mailFields: INodeProperties[] = [
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
];

/** Fields of a collection that name attached files. */
export const attachmentFields: INodeProperties[] = [
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
];

/** Files that the form names, and files of the input item, which are uploaded first. */
export async function attachmentsOf(
	call: OperationCall,
	{ attachments, inputFiles }: { attachments: string[]; inputFiles: string[] },
): Promise<{ attachments?: string[] }> {
	const { gateway, signal } = call;
	const ids = [...attachments];
	for (const [index, field] of inputFiles.entries()) {
		const { content, ...named } = await readBinary(call, field);
		const once = idempotencyKey(call, () => [named, sha256(content)], `${index} ${field}`);
		ids.push((await gateway.files.upload(named, content, { signal, ...once })).id);
	}
	return ids.length === 0 ? {} : { attachments: ids };
}
