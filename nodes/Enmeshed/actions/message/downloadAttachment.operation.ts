import type { INodeProperties } from 'n8n-workflow';
import { binaryPropertyName, forOperation } from '../../descriptions/common';
import { messageLocator } from '../../descriptions/locators';
import { toBinary } from '../../operation/binary';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyFile } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	messageLocator(),
	{
		displayName: 'File ID',
		name: 'fileId',
		type: 'string',
		default: '',
		placeholder: 'e.g. FILa1B2c3D4e5F6g7H8i',
		description: 'ID of one attachment. Without it all attachments come, one item for each.',
	},
	{ ...binaryPropertyName, hint: 'The name of the output binary field to put the file in' },
];

const inputSchema = parameterSchema((z, { text, optionalText, locator }) =>
	z.object({ message: locator, fileId: optionalText, binaryPropertyName: text }),
);

export const downloadAttachment: Operation = {
	properties: forOperation('message', 'downloadAttachment', fields),
	output: 'file',

	async execute(call) {
		const { signal } = call;
		const { messages } = call.gateway;
		const {
			message: messageId,
			fileId,
			...output
		} = await parseParameters(call, fields, inputSchema);
		const files =
			fileId === undefined
				? await messages.listAttachments(messageId, { signal })
				: [await messages.getAttachment(messageId, fileId, { signal })];
		const records = [];
		for (const file of files) {
			const downloaded = await messages.downloadAttachment(messageId, file.id, { signal });
			const binary = await toBinary(call, downloaded, output.binaryPropertyName);
			records.push(toRecord(simplifyFile(file), binary));
		}
		return records;
	},
};
