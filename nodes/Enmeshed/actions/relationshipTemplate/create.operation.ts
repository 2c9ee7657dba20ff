import { forOperation } from '../../descriptions/common';
import { readExpiry } from '../../helpers/expiry';
import type { Operation, OperationCall } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { protectionOf } from '../../helpers/protection';
import { describeTemplate } from '../../output/simplify';
import { createFields } from './create-fields';
import { qrCodeChoices, withTemplateQrCode } from '../../output/qr-code';
import { readContent } from './template-content';

const only = (...names: string[]) => createFields.filter(({ name }) => names.includes(name));

const outputSchema = parameterSchema((z, { text, optionalText, limit }) =>
	z.object({
		binaryPropertyName: text,
		options: z.object({
			maxNumberOfAllocations: limit.optional(),
			forIdentity: optionalText,
			password: optionalText,
			passwordLocationIndicator: optionalText,
			qrCodeFormat: z.enum(['reference', 'link']).default('reference'),
			...qrCodeChoices(z),
		}),
	}),
);

export const create: Operation = {
	properties: forOperation('relationshipTemplate', 'create', createFields),
	output: 'createdTemplate',

	async execute(call) {
		const { gateway, signal } = call;
		const output = await readOutput(call);
		const template = await gateway.templates.create(
			{
				content: await readContent(call, createFields),
				expiresAt: await readExpiry(call),
				...output.limits,
			},
			{ signal },
		);
		return [await withTemplateQrCode(call, template, describeTemplate(template), output)];
	},
};

async function readOutput(call: OperationCall) {
	const fields = only('binaryPropertyName', 'options');
	const { binaryPropertyName, options } = await parseParameters(call, fields, outputSchema);
	const { maxNumberOfAllocations } = options;
	return {
		binaryPropertyName,
		qrCodeFormat: options.qrCodeFormat,
		options,
		limits: {
			...(maxNumberOfAllocations === undefined ? {} : { maxNumberOfAllocations }),
			...protectionOf(options),
		},
	};
}
