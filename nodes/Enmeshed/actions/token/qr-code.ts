import type { IBinaryData } from 'n8n-workflow';
import type { TokenDto } from '../../../../core';
import { toBinary } from '../../helpers/binary';
import type { OperationContext } from '../../helpers/operation';

/** The QR code of a token, kept or not, as a file in the named field. */
export async function qrCodeBinary(
	context: OperationContext,
	token: Pick<TokenDto, 'id' | 'truncatedReference'>,
	output: { readonly qrCodeFormat: 'reference' | 'link'; readonly binaryPropertyName: string },
): Promise<Record<string, IBinaryData>> {
	const { gateway, signal } = context;
	const { qrCodeFormat, binaryPropertyName } = output;
	const content = await gateway.tokens.qrCode(token.truncatedReference, qrCodeFormat, { signal });
	const image = { content, filename: `token-${token.id}.png`, mimetype: 'image/png' };
	return await toBinary(context, image, binaryPropertyName);
}
