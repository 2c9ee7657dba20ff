import type { TokenDto } from '../../../../core';
import { forOperation } from '../../descriptions/common';
import { readExpiry } from '../../fields/expiry';
import type { Operation, OperationCall } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { protectionOf } from '../../fields/protection';
import { simplifyToken } from '../../output/simplify';
import { createFields } from './create-fields';
import { qrCodeChoices, withTokenQrCode } from '../../output/qr-code';

const only = (...names: string[]) => createFields.filter(({ name }) => names.includes(name));

const modeSchema = parameterSchema((z) =>
	z.object({ contentMode: z.enum(['file', 'json', 'template']) }),
);

const fileSchema = parameterSchema((z, { locator }) => z.object({ file: locator }));

const templateSchema = parameterSchema((z, { locator }) => z.object({ template: locator }));

const jsonSchema = parameterSchema((z, { jsonObject }) => z.object({ content: jsonObject }));

const outputSchema = parameterSchema((z, { text, optionalText }) =>
	z.object({
		binaryPropertyName: text,
		options: z.object({
			keep: z.boolean().default(true),
			forIdentity: optionalText,
			password: optionalText,
			passwordLocationIndicator: optionalText,
			qrCodeFormat: z.enum(['reference', 'link']).default('link'),
			...qrCodeChoices(z),
		}),
	}),
);

export const create: Operation = {
	properties: forOperation('token', 'create', createFields),
	output: 'tokenQrCode',

	async execute(call) {
		const fields = only('binaryPropertyName', 'options');
		const { binaryPropertyName, options } = await parseParameters(call, fields, outputSchema);
		const sharing = { ephemeral: !options.keep, ...protectionOf(options) };
		const token = await createToken(call, sharing);
		const { qrCodeFormat } = options;
		const output = { qrCodeFormat, binaryPropertyName, options };
		return [await withTokenQrCode(call, token, simplifyToken(token), output)];
	},
};

async function createToken(call: OperationCall, sharing: object): Promise<TokenDto> {
	const { gateway, signal } = call;
	const { contentMode } = await parseParameters(call, only('contentMode'), modeSchema);
	if (contentMode === 'file') {
		const { file } = await parseParameters(call, only('file'), fileSchema);
		return await gateway.files.createToken(file, sharing, { signal });
	}
	if (contentMode === 'template') {
		const { template } = await parseParameters(call, only('template'), templateSchema);
		return await gateway.templates.createToken(template, sharing, { signal });
	}
	const { content } = await parseParameters(call, only('content'), jsonSchema);
	const expiresAt = await readExpiry(call);
	return await gateway.tokens.create({ content, expiresAt, ...sharing }, { signal });
}
