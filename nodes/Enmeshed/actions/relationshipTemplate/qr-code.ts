import type { IBinaryData } from 'n8n-workflow';
import type { TemplateDto } from '../../../../core';
import type { OperationContext } from '../../helpers/operation';

/** The QR code of a template as a file in the named field. */
export async function qrCodeBinary(
	{ functions, gateway, signal }: OperationContext,
	template: Pick<TemplateDto, 'id'>,
	output: { readonly qrCodeFormat: 'reference' | 'link'; readonly binaryPropertyName: string },
): Promise<Record<string, IBinaryData>> {
	const png = await gateway.templates.qrCode(template.id, output.qrCodeFormat, { signal });
	const file = await functions.helpers.prepareBinaryData(
		Buffer.from(png),
		`relationship-template-${template.id}.png`,
		'image/png',
	);
	return { [output.binaryPropertyName]: file };
}
