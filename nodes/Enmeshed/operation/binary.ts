import type { BinaryHelperFunctions, IBinaryData } from 'n8n-workflow';
import type { ExportDocument } from '../../../core';
import type { OperationCall } from './operation';

export interface BinaryContent {
	readonly content: Uint8Array;
	readonly filename: string;
	readonly mimetype: string;
}

/** What n8n gives to nodes and to triggers for files. */
export interface FileHelpers {
	readonly helpers: Pick<BinaryHelperFunctions, 'prepareBinaryData'>;
}

/** Passes a file to n8n, in the named field of the output item. */
export async function toBinary(
	{ functions }: { readonly functions: FileHelpers },
	{ content, filename, mimetype }: BinaryContent,
	field: string,
): Promise<Record<string, IBinaryData>> {
	// Shares the memory instead of copying it, because files have megabytes.
	const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
	const file = await functions.helpers.prepareBinaryData(
		bytes,
		safeName(filename),
		safeType(mimetype),
	);
	return { [field]: file };
}

/**
 * Passes a file to n8n while it is made. Where n8n keeps files on disk, the file is never in memory
 * as a whole.
 */
export async function streamToBinary(
	{ functions }: Pick<OperationCall, 'functions'>,
	content: ExportDocument['content'],
	{ name, type, field }: { readonly name: string; readonly type: string; readonly field: string },
): Promise<Record<string, IBinaryData>> {
	return { [field]: await functions.helpers.prepareBinaryData(content, name, type) };
}

/** Reads the file in the named field of the input item; n8n reports a missing file. */
export async function readBinary(
	{ functions, itemIndex }: Pick<OperationCall, 'functions' | 'itemIndex'>,
	field: string,
): Promise<BinaryContent> {
	const { fileName, mimeType } = functions.helpers.assertBinaryData(itemIndex, field);
	return {
		content: await functions.helpers.getBinaryDataBuffer(itemIndex, field),
		filename: fileName ?? field,
		mimetype: mimeType === '' ? 'application/octet-stream' : mimeType,
	};
}

/**
 * Makes a file name safe: peers choose the names, and workflows write files to disk under them.
 * Without the characters that change the direction of the text, 'gpj.exe' cannot be shown as
 * 'exe.jpg'.
 */
export function safeName(name: string): string {
	const plain = name
		.replace(/\p{Bidi_Control}/gu, '')
		.replace(/[\\/:\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '_')
		.replace(/^\.+/, '_');
	return plain.slice(0, 255);
}

function safeType(type: string): string {
	return /^[\w.+-]+\/[\w.+-]+(;[ -~]*)?$/.test(type) ? type : 'application/octet-stream';
}
