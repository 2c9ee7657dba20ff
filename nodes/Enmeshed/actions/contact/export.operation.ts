import type { INodeProperties } from 'n8n-workflow';
import type { ExportedFile } from '../../../../core';
import { binaryPropertyName, forOperation } from '../../descriptions/common';
import { contactLocator } from '../../descriptions/locators';
import { isGatewayError } from '../../errors/to-node-error';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { loadCore } from '../../gateway/core';
import { streamToBinary, toBinary, type BinaryContent } from '../../operation/binary';
import { defined } from '../../helpers/members';
import type { Operation, OperationCall, OutputRecord } from '../../operation/operation';
import { toRecord } from '../../output/to-items';

const megabyte = 1_000_000;

const limits: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Include Files',
			name: 'includeFiles',
			type: 'boolean',
			default: true,
			description: 'Whether to add one item with each file of the person',
		},
		{
			displayName: 'Max Files',
			name: 'maxFiles',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100,
			description: 'Files beyond this number are only listed in the JSON',
		},
		{
			displayName: 'Max Size of Files (MB)',
			name: 'maxMegabytes',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100,
			description:
				'Files with which all files together would be larger are only listed in the JSON',
		},
	],
};

const fields: INodeProperties[] = [
	contactLocator(),
	{ ...binaryPropertyName, hint: 'The name of the output binary field to put each file in' },
	limits,
];

const inputSchema = parameterSchema((z, field) =>
	z.object({
		contact: field.locator,
		binaryPropertyName: field.text,
		options: z.object({
			includeFiles: z.boolean().default(true),
			maxFiles: field.limit.default(100),
			maxMegabytes: field.limit.default(100),
		}),
	}),
);

export const exportOperation: Operation = {
	properties: forOperation('contact', 'export', fields),
	output: 'contactExport',

	async execute(call) {
		const { gateway, signal } = call;
		const { contact: peer, ...entered } = await parseParameters(call, fields, inputSchema);
		const { openExportDocument } = await loadCore();
		const document = await openExportDocument(gateway.contacts, peer, { signal });
		const field = entered.binaryPropertyName;
		const name = `export-${peer.slice(-8)}.json`;
		const type = 'application/json';
		const binary = await streamToBinary(call, document.content, { name, type, field });
		const { exportedAt, counts, files } = document;
		const added = entered.options.includeFiles
			? await filesOf(call, peer, files, { ...entered.options, field })
			: [];
		const filesLeftOut = files.length - added.length;
		const overview = { peer, type: 'data', exportedAt, records: { ...counts }, filesLeftOut };
		return [toRecord(overview, binary), ...added];
	},
};

interface Limits {
	readonly maxFiles: number;
	readonly maxMegabytes: number;
	/** binary field of each item */
	readonly field: string;
}

/** One item for each file within the limits; a file that cannot be had says why. */
async function filesOf(
	call: OperationCall,
	peer: string,
	files: readonly ExportedFile[],
	{ maxFiles, maxMegabytes, field }: Limits,
): Promise<OutputRecord[]> {
	const records: OutputRecord[] = [];
	let left = maxMegabytes * megabyte;
	for (const file of files) {
		const { id, filesize = 0, filename, title, mimetype } = file;
		if (records.length >= maxFiles) break;
		if (filesize > left) continue;
		const json = {
			...{ peer, type: 'file', id },
			...defined({ filename, title: title === '' ? undefined : title, mimetype }),
			filesize,
		};
		const downloaded = await download(call, id);
		if ('missing' in downloaded) {
			records.push(toRecord({ ...json, ...downloaded }));
		} else {
			left -= downloaded.content.length;
			records.push(toRecord(json, await toBinary(call, downloaded, field)));
		}
	}
	return records;
}

/** The file, or the code of the reason why it cannot be had, now or later. */
async function download(
	{ gateway, signal }: OperationCall,
	id: string,
): Promise<BinaryContent | { readonly missing: string }> {
	return await gateway.files
		.download(id, { signal })
		.catch((error: unknown) =>
			isGatewayError(error) && error.kind !== 'unavailable'
				? { missing: error.code }
				: Promise.reject(error),
		);
}
