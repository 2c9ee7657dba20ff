import { binaryPropertyName, forOperation } from '../../descriptions/common';
import { fileLocator } from '../../descriptions/locators';
import { qrCodeFormat, qrCodeOptionsField } from '../../descriptions/qr-code';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { qrCodeChoices, withFileQrCode } from '../../output/qr-code';
import { simplifyFile } from '../../output/simplify';

const fields = [fileLocator(), qrCodeFormat, binaryPropertyName, qrCodeOptionsField];

const inputSchema = parameterSchema((z, { text, locator }) =>
	z.object({
		file: locator,
		qrCodeFormat: z.enum(['reference', 'link']),
		binaryPropertyName: text,
		options: z.object(qrCodeChoices(z)),
	}),
);

export const getQrCode: Operation = {
	properties: forOperation('file', 'getQrCode', fields),
	output: 'fileQrCode',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const file = await gateway.files.get(parameters.file, { signal });
		return [await withFileQrCode(call, file, simplifyFile(file), parameters)];
	},
};
