import { binaryPropertyName, forOperation } from '../../descriptions/common';
import { tokenLocator } from '../../descriptions/locators';
import { qrCodeFormat, qrCodeOptionsField } from '../../descriptions/qr-code';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { qrCodeChoices, withTokenQrCode } from '../../output/qr-code';
import { simplifyToken } from '../../output/simplify';

const fields = [tokenLocator(), qrCodeFormat, binaryPropertyName, qrCodeOptionsField];

const inputSchema = parameterSchema((z, { text, locator }) =>
	z.object({
		token: locator,
		qrCodeFormat: z.enum(['reference', 'link']),
		binaryPropertyName: text,
		options: z.object(qrCodeChoices(z)),
	}),
);

export const getQrCode: Operation = {
	properties: forOperation('token', 'getQrCode', fields),
	output: 'tokenQrCode',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const token = await gateway.tokens.get(parameters.token, { signal });
		return [await withTokenQrCode(call, token, simplifyToken(token), parameters)];
	},
};
