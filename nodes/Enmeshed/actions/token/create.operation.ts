import type { TokenDto } from '../../../../core';
import { forOperation } from '../../descriptions/common';
import { readExpiry } from '../../helpers/expiry';
import type { Operation, OperationContext } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { protectionOf } from '../../helpers/protection';
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
			qrCodeFormat: z.enum(['reference', 'link']).default('reference'),
			...qrCodeChoices(z),
		}),
	}),
);

export const create: Operation = {
	properties: forOperation('token', 'create', createFields),
	output: 'tokenQrCode',

	async execute(context) {
		const fields = only('binaryPropertyName', 'options');
		const { binaryPropertyName, options } = await parseParameters(context, fields, outputSchema);
		const sharing = { ephemeral: !options.keep, ...protectionOf(options) };
		const token = await createToken(context, sharing);
		const { qrCodeFormat } = options;
		const output = { qrCodeFormat, binaryPropertyName, options };
		return [await withTokenQrCode(context, token, simplifyToken(token), output)];
	},
};

async function createToken(context: OperationContext, sharing: object): Promise<TokenDto> {
	const { gateway, signal } = context;
	const { contentMode } = await parseParameters(context, only('contentMode'), modeSchema);
	if (contentMode === 'file') {
		const { file } = await parseParameters(context, only('file'), fileSchema);
		return await gateway.files.createToken(file, sharing, { signal });
	}
	if (contentMode === 'template') {
		const { template } = await parseParameters(context, only('template'), templateSchema);
		return await gateway.templates.createToken(template, sharing, { signal });
	}
	const { content } = await parseParameters(context, only('content'), jsonSchema);
	const expiresAt = await readExpiry(context);
	return await gateway.tokens.create({ content, expiresAt, ...sharing }, { signal });
}
