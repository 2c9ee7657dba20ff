import { binaryPropertyName, forOperation, qrCodeFormat } from '../../descriptions/common';
import { fileLocator } from '../../descriptions/locators';
import type { Operation } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { fileQrCode } from '../../output/qr-code';
import { simplifyFile } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [fileLocator(), qrCodeFormat, binaryPropertyName];

const inputSchema = parameterSchema((z, { text, locator }) =>
	z.object({
		file: locator,
		qrCodeFormat: z.enum(['reference', 'link']),
		binaryPropertyName: text,
	}),
);

export const getQrCode: Operation = {
	properties: forOperation('file', 'getQrCode', fields),
	output: 'file',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const file = await gateway.files.get(parameters.file, { signal });
		return [toRecord(simplifyFile(file), await fileQrCode(call, file, parameters))];
	},
};
