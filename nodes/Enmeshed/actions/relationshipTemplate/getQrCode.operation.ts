import { binaryPropertyName, forOperation, qrCodeFormat } from '../../descriptions/common';
import { templateLocator } from '../../descriptions/locators';
import type { Operation } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { describeQrCode } from '../../output/simplify';
import { toRecord } from '../../output/to-items';
import { templateQrCode } from '../../output/qr-code';

const fields = [templateLocator(), qrCodeFormat, binaryPropertyName];

const inputSchema = parameterSchema((z, { text, locator }) =>
	z.object({
		template: locator,
		qrCodeFormat: z.enum(['reference', 'link']),
		binaryPropertyName: text,
	}),
);

export const getQrCode: Operation = {
	properties: forOperation('relationshipTemplate', 'getQrCode', fields),
	output: 'templateQrCode',

	async execute(call) {
		const parameters = await parseParameters(call, fields, inputSchema);
		const template = await call.gateway.templates.get(parameters.template, {
			signal: call.signal,
		});
		const binary = await templateQrCode(call, template, parameters);
		return [toRecord(describeQrCode(template), binary)];
	},
};
