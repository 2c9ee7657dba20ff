import { binaryPropertyName, forOperation } from '../../descriptions/common';
import { templateLocator } from '../../descriptions/locators';
import { qrCodeFormat, qrCodeOptionsField } from '../../descriptions/qr-code';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { qrCodeChoices, withTemplateQrCode } from '../../output/qr-code';
import { describeQrCode } from '../../output/simplify';

const fields = [templateLocator(), qrCodeFormat, binaryPropertyName, qrCodeOptionsField];

const inputSchema = parameterSchema((z, { text, locator }) =>
	z.object({
		template: locator,
		qrCodeFormat: z.enum(['reference', 'link']),
		binaryPropertyName: text,
		options: z.object(qrCodeChoices(z)),
	}),
);

export const getQrCode: Operation = {
	properties: forOperation('relationshipTemplate', 'getQrCode', fields),
	output: 'templateQrCode',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const template = await gateway.templates.get(parameters.template, { signal });
		return [await withTemplateQrCode(call, template, describeQrCode(template), parameters)];
	},
};
