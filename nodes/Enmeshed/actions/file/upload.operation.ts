import type { INodeProperties } from 'n8n-workflow';
import { forOperation, inputBinaryPropertyName } from '../../descriptions/common';
import { sendOncePer } from '../../descriptions/send-once-per';
import { readBinary, type BinaryContent } from '../../operation/binary';
import { readOptionalInstant } from '../../fields/expiry';
import { idempotencyKey, sha256 } from '../../sending/idempotency-key';
import { defined } from '../../helpers/members';
import type { Operation, OperationCall } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyFile } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	{
		displayName: 'Content',
		name: 'source',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'File of the Input', value: 'binary' },
			{ name: 'Text', value: 'text' },
		],
		default: 'binary',
		description: 'Where the content of the file comes from. It may have up to 7.5 MB.',
	},
	{ ...inputBinaryPropertyName, displayOptions: { show: { source: ['binary'] } } },
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 5 },
		displayOptions: { show: { source: ['text'] } },
		default: '',
		required: true,
		placeholder: 'e.g. Our terms and conditions',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Description',
				name: 'description',
				type: 'string',
				default: '',
			},
			{
				displayName: 'Expires At',
				name: 'expiresAt',
				type: 'dateTime',
				default: '',
				description:
					'When the file expires and can no longer be read. Without it, the file never expires.',
			},
			{
				displayName: 'File Name',
				name: 'filename',
				type: 'string',
				default: '',
				placeholder: 'e.g. invoice.pdf',
				description:
					'Name under which peers see the file. Without it the input file keeps its own.',
			},
			{
				displayName: 'MIME Type',
				name: 'mimetype',
				type: 'string',
				default: '',
				placeholder: 'e.g. application/pdf',
			},
			sendOncePer,
			{
				displayName: 'Tags',
				name: 'tags',
				type: 'string',
				default: '',
				placeholder: 'e.g. x:invoice, x:2030',
				description: 'Comma-separated words to find the file by',
			},
			{
				displayName: 'Title',
				name: 'title',
				type: 'string',
				default: '',
				placeholder: 'e.g. Your invoice',
			},
		],
	},
];

const only = (...names: string[]) => fields.filter(({ name }) => names.includes(name));

const inputSchema = parameterSchema((z, { optionalText, textList }) =>
	z.object({
		source: z.enum(['binary', 'text']),
		options: z.object({
			description: optionalText,
			expiresAt: z.unknown().optional(),
			filename: optionalText,
			mimetype: optionalText,
			tags: textList.default([]),
			title: optionalText,
		}),
	}),
);

const binarySchema = parameterSchema((z, { text }) => z.object({ binaryPropertyName: text }));

const textSchema = parameterSchema((z, { exactText }) => z.object({ text: exactText }));

export const upload: Operation = {
	properties: forOperation('file', 'upload', fields),
	output: 'file',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, only('source', 'options'), inputSchema);
		const { expiresAt: entered, tags, ...said } = parameters.options;
		const expiresAt = await readOptionalInstant(call, entered, 'Expires At');
		const { content, ...named } = await readContent(call, parameters.source);
		const input = {
			filename: said.filename ?? named.filename,
			mimetype: said.mimetype ?? named.mimetype,
			...defined({ title: said.title, description: said.description, expiresAt }),
			...(tags.length === 0 ? {} : { tags }),
		};
		const whole = () => [input, sha256(content)];
		const once = await idempotencyKey(call, whole, { kind: 'upload' });
		const file = await gateway.files.upload(input, content, { signal, ...once });
		return [toRecord(simplifyFile(file))];
	},
};

async function readContent(call: OperationCall, source: 'binary' | 'text'): Promise<BinaryContent> {
	if (source === 'binary') {
		const fieldName = await parseParameters(call, only('binaryPropertyName'), binarySchema);
		return await readBinary(call, fieldName.binaryPropertyName);
	}
	const { text } = await parseParameters(call, only('text'), textSchema);
	return { content: Buffer.from(text), filename: 'text.txt', mimetype: 'text/plain' };
}
