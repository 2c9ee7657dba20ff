import { binaryPropertyName, forOperation, qrCodeFormat } from '../../descriptions/common';
import { fileLocator } from '../../descriptions/locators';
import { toBinary } from '../../helpers/binary';
import type { Operation } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { simplifyFile } from '../../helpers/simplify';
import { toRecord } from '../../helpers/to-items';

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

	async execute(context) {
		const { gateway, signal } = context;
		const parameters = await parseParameters(context, fields, inputSchema);
		const file = await gateway.files.get(parameters.file, { signal });
		const content = await gateway.files.qrCode(file.id, parameters.qrCodeFormat, { signal });
		const image = { content, filename: `file-${file.id}.png`, mimetype: 'image/png' };
		const binary = await toBinary(context, image, parameters.binaryPropertyName);
		return [toRecord(simplifyFile(file), binary)];
	},
};
