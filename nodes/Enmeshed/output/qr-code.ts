import type { IBinaryData } from 'n8n-workflow';
import type { FileDto, TemplateDto, TokenDto } from '../../../core';
import { toBinary } from '../helpers/binary';
import type { OperationCall } from '../helpers/operation';

type Format = 'reference' | 'link';

interface Output {
	readonly qrCodeFormat: Format;
	readonly binaryPropertyName: string;
}

/** Writes the QR code of a file as a PNG image into the named field. */
export async function fileQrCode(
	call: OperationCall,
	{ id }: Pick<FileDto, 'id'>,
	output: Output,
): Promise<Record<string, IBinaryData>> {
	const { gateway, signal } = call;
	const content = await gateway.files.qrCode(id, output.qrCodeFormat, { signal });
	return await toImage(call, content, `file-${id}`, output);
}

/** Writes the QR code of a relationship template. */
export async function templateQrCode(
	call: OperationCall,
	{ id }: Pick<TemplateDto, 'id'>,
	output: Output,
): Promise<Record<string, IBinaryData>> {
	const { gateway, signal } = call;
	const content = await gateway.templates.qrCode(id, output.qrCodeFormat, { signal });
	return await toImage(call, content, `relationship-template-${id}`, output);
}

/** Writes the QR code of a token, whether the account stores it or not. */
export async function tokenQrCode(
	call: OperationCall,
	{ id, truncatedReference }: Pick<TokenDto, 'id' | 'truncatedReference'>,
	output: Output,
): Promise<Record<string, IBinaryData>> {
	const { gateway, signal } = call;
	const content = await gateway.tokens.qrCode(truncatedReference, output.qrCodeFormat, { signal });
	return await toImage(call, content, `token-${id}`, output);
}

async function toImage(
	call: OperationCall,
	content: Uint8Array,
	name: string,
	{ binaryPropertyName }: Output,
): Promise<Record<string, IBinaryData>> {
	const image = { content, filename: `${name}.png`, mimetype: 'image/png' };
	return await toBinary(call, image, binaryPropertyName);
}
