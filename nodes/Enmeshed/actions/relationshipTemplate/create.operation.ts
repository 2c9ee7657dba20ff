import { NodeOperationError } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { readExpiry } from '../../helpers/expiry';
import type { Operation, OperationContext } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { protectionOf } from '../../helpers/protection';
import { describeTemplate } from '../../helpers/simplify';
import { toRecord } from '../../helpers/to-items';
import { createFields } from './create-fields';
import { qrCodeBinary } from './qr-code';
import { buildRequestItems } from './request-form';

const only = (...names: string[]) => createFields.filter(({ name }) => names.includes(name));

const contentModeSchema = parameterSchema((z) =>
	z.object({ contentMode: z.enum(['fields', 'json']) }),
);

const contentSchema = parameterSchema((z, { jsonObject }) => z.object({ content: jsonObject }));

const formSchema = parameterSchema((z, { text, optionalText, locator }) => {
	const common = { mustBeAccepted: z.boolean().default(true), group: optionalText };
	return z.object({
		title: text,
		askFor: z.object({
			items: z.array(z.object({ valueType: text, ...common })).default([]),
		}),
		share: z.object({
			items: z.array(z.object({ attribute: locator, ...common })).default([]),
		}),
	});
});

const outputSchema = parameterSchema((z, { text, optionalText, limit }) =>
	z.object({
		binaryPropertyName: text,
		options: z.object({
			maxNumberOfAllocations: limit.optional(),
			forIdentity: optionalText,
			password: optionalText,
			passwordLocationIndicator: optionalText,
			qrCodeFormat: z.enum(['reference', 'link']).default('reference'),
		}),
	}),
);

export const create: Operation = {
	properties: forOperation('relationshipTemplate', 'create', createFields),

	async execute(context) {
		const { gateway, signal } = context;
		const output = await readOutput(context);
		const template = await gateway.templates.create(
			{
				content: await readContent(context),
				expiresAt: await readExpiry(context),
				...output.limits,
			},
			{ signal },
		);
		const binary = await qrCodeBinary(context, template, output);
		return [toRecord(describeTemplate(template), binary)];
	},
};

async function readContent(context: OperationContext): Promise<object> {
	const { contentMode } = await parseParameters(context, only('contentMode'), contentModeSchema);
	if (contentMode === 'json') {
		const { content } = await parseParameters(context, only('content'), contentSchema);
		return content;
	}
	const form = await readForm(context);
	const items = await buildRequestItems(form, context.gateway, { signal: context.signal });
	if (items.length === 0) {
		throw new NodeOperationError(context.functions.getNode(), 'The template asks for nothing', {
			description: "Add at least one entry under 'Ask For' or 'Share'",
			itemIndex: context.itemIndex,
		});
	}
	return {
		'@type': 'RelationshipTemplateContent',
		title: form.title,
		onNewRelationship: { '@type': 'Request', items },
	};
}

async function readForm(context: OperationContext) {
	const parameters = await parseParameters(context, only('title', 'askFor', 'share'), formSchema);
	const { title, askFor, share } = parameters;
	return { title, askFor: askFor.items, share: share.items };
}

async function readOutput(context: OperationContext) {
	const fields = only('binaryPropertyName', 'options');
	const { binaryPropertyName, options } = await parseParameters(context, fields, outputSchema);
	const { maxNumberOfAllocations } = options;
	return {
		binaryPropertyName,
		qrCodeFormat: options.qrCodeFormat,
		limits: {
			...(maxNumberOfAllocations === undefined ? {} : { maxNumberOfAllocations }),
			...protectionOf(options),
		},
	};
}
