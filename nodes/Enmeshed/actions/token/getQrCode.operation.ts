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

	async execute(call) {
		const parameters = await parseParameters(call, fields, inputSchema);
		const token = await call.gateway.tokens.get(parameters.token, { signal: call.signal });
		const binary = await tokenQrCode(call, token, parameters);
		return [toRecord(simplifyToken(token), binary)];
	},
};
