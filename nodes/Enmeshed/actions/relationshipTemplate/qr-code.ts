import type { IBinaryData } from 'n8n-workflow';
import type { TemplateDto } from '../../../../core';
import { toBinary } from '../../helpers/binary';
import type { OperationContext } from '../../helpers/operation';

/** The QR code of a template as a file in the named field. */
export async function qrCodeBinary(
	context: OperationContext,
	template: Pick<TemplateDto, 'id'>,
	output: { readonly qrCodeFormat: 'reference' | 'link'; readonly binaryPropertyName: string },
): Promise<Record<string, IBinaryData>> {
	const { gateway, signal } = context;
	const content = await gateway.templates.qrCode(template.id, output.qrCodeFormat, { signal });
	const filename = `relationship-template-${template.id}.png`;
	return await toBinary(
		context,
		{ content, filename, mimetype: 'image/png' },
		output.binaryPropertyName,
	);
}
