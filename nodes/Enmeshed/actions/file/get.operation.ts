import { forOperation, simplify } from '../../descriptions/common';
import { fileLocator } from '../../descriptions/locators';
import { qrCodeFields } from '../../descriptions/qr-code';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { qrCodeShape, withFileQrCode } from '../../output/qr-code';
import { simplifyFile } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [fileLocator(), simplify, ...qrCodeFields];

const inputSchema = parameterSchema((z, schemas) =>
	z.object({ file: schemas.locator, simplify: z.boolean(), ...qrCodeShape(z, schemas) }),
);

export const get: Operation = {
	properties: forOperation('file', 'get', fields),
	output: 'file',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const file = await gateway.files.get(parameters.file, { signal });
		const json = parameters.simplify ? simplifyFile(file) : file;
		if (!parameters.drawQrCode) return [toRecord(json)];
		return [await withFileQrCode(call, file, json, parameters)];
	},
};
