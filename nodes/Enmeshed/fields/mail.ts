import type { INodeProperties } from 'n8n-workflow';
import { fileFields } from '../descriptions/file-source';
import { peerLocator } from '../descriptions/locators';
import {
	chosenFiles,
	chosenFileShape,
	requireChosenFile,
	shownFileFields,
	type ChosenFile,
} from './chosen-file';
import type { OperationCall } from '../operation/operation';
import { expectedEntries, type FieldSchemas, type Zod } from './parse-parameters';

/** Subject and text of a mail, which people read. */
export const mailTextFields: INodeProperties[] = [
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
	...mailTextFields,
];

/** Field of a collection for attached files. */
export const attachmentsField: INodeProperties = {
	displayName: 'Attachments',
	name: 'attachments',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add File' },
	default: {},
	placeholder: 'Add File',
	description: 'Files to send along',
	options: [
		{
			displayName: 'File',
			name: 'files',
			values: fileFields('input'),
		},
	],
};

/** Entries of `attachmentsField` in a schema. */
export function attachmentList(z: Zod, fields: FieldSchemas) {
	const expected = expectedEntries('files');
	const shape = chosenFileShape(z, fields, 'input');
	const file = z.preprocess(
		shownFileFields('input'),
		z
			.object(shape, `Expected an entry with ${Object.keys(shape).join(', ')}`)
			.strict()
			.superRefine(requireChosenFile),
	);
	const files = z.array(file, expected).max(1_000, 'At most 1000 entries').default([]);
	const entries = z.object({ files }, expected).strict();
	return entries.default({ files: [] }).transform(({ files }) => files);
}

/** Ids of the files that the form names. Files of the input item are uploaded first. */
export async function attachmentsOf(
	call: OperationCall,
	{ attachments }: { attachments: readonly ChosenFile[] },
): Promise<{ attachments?: string[] }> {
	const ids: string[] = [];
	for (const [index, chosen] of attachments.entries()) {
		const files = await chosenFiles(call, chosen, String(index));
		ids.push(...files.map(({ id }) => id));
	}
	return ids.length === 0 ? {} : { attachments: ids };
}
