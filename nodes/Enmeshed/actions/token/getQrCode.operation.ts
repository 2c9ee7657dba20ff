import { binaryPropertyName, forOperation, qrCodeFormat } from '../../descriptions/common';
import { tokenLocator } from '../../descriptions/locators';
import type { Operation } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { simplifyToken } from '../../output/simplify';
import { toRecord } from '../../output/to-items';
import { tokenQrCode } from '../../output/qr-code';

const fields = [tokenLocator(), qrCodeFormat, binaryPropertyName];

const inputSchema = parameterSchema((z, { text, locator }) =>
	z.object({
		token: locator,
		qrCodeFormat: z.enum(['reference', 'link']),
		binaryPropertyName: text,
	}),
);

export const getQrCode: Operation = {
	properties: forOperation('token', 'getQrCode', fields),
	output: 'token',

	async execute(context) {
		const parameters = await parseParameters(context, fields, inputSchema);
		const token = await context.gateway.tokens.get(parameters.token, { signal: context.signal });
		const binary = await tokenQrCode(context, token, parameters);
		return [toRecord(simplifyToken(token), binary)];
	},
};
