import { forOperation, simplify } from '../../descriptions/common';
import { readExpiry } from '../../fields/expiry';
import { withHints, type Operation, type OperationCall } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { protectionOf } from '../../fields/protection';
import { describeQrCode, describeTemplate } from '../../output/simplify';
import { createFields } from './create-fields';
import { qrCodeChoices, withTemplateQrCode } from '../../output/qr-code';
import { readContent } from './template-content';

const fields = [...createFields, simplify];

const only = (...names: string[]) => fields.filter(({ name }) => names.includes(name));

const outputSchema = parameterSchema((z, fieldSchemas) => {
	const { text, optionalText, limit } = fieldSchemas;
	return z.object({
		binaryPropertyName: text,
		purpose: optionalText,
		simplify: z.boolean().default(true),
		options: z.object({
			maxNumberOfAllocations: limit.optional(),
			forIdentity: optionalText,
			password: optionalText,
			passwordLocationIndicator: optionalText,
			acceptUnprovenAnswers: z.boolean().default(false),
			qrCodeFormat: z.enum(['reference', 'link']).default('link'),
			...qrCodeChoices(z, fieldSchemas),
		}),
	});
});

export const create: Operation = {
	properties: forOperation('relationshipTemplate', 'create', fields),
	output: 'templateQrCode',

	async execute(call) {
		const { gateway } = call;
		const output = await readOutput(call);
		const template = await gateway.templates.create(
			{
				content: await readContent(call, createFields),
				expiresAt: await readExpiry(call),
				...output.facts,
			},
			{ ...withHints(call), acceptUnprovenAnswers: output.options.acceptUnprovenAnswers },
		);
		const json = output.isSimple ? describeQrCode(template) : describeTemplate(template);
		return [await withTemplateQrCode(call, template, json, output)];
	},
};

async function readOutput(call: OperationCall) {
	const { binaryPropertyName, purpose, options, ...entered } = await parseParameters(
		call,
		only('binaryPropertyName', 'purpose', 'simplify', 'options'),
		outputSchema,
	);
	const { maxNumberOfAllocations } = options;
	return {
		binaryPropertyName,
		isSimple: entered.simplify,
		qrCodeFormat: options.qrCodeFormat,
		options,
		facts: {
			...(purpose === undefined ? {} : { purpose }),
			...(maxNumberOfAllocations === undefined ? {} : { maxNumberOfAllocations }),
			...protectionOf(options),
		},
	};
}
