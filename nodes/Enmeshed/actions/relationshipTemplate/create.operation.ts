import { NodeOperationError } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { invalidDate, readInstant } from '../../helpers/instants';
import type { Operation, OperationContext } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { describeTemplate } from '../../helpers/simplify';
import { toRecord } from '../../helpers/to-items';
import { createFields } from './create-fields';
import { qrCodeBinary } from './qr-code';
import { buildRequestItems } from './request-form';

const dayMs = 24 * 3_600_000;

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

const expirySchema = parameterSchema((z) => z.object({ expires: z.enum(['afterDays', 'onDate']) }));

const daysSchema = parameterSchema((z) =>
	z.object({ expiresInDays: z.number('Expected a number').gt(0).max(36_500) }),
);

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

async function readExpiry(context: OperationContext): Promise<string> {
	const { expires } = await parseParameters(context, only('expires'), expirySchema);
	if (expires === 'afterDays') {
		const { expiresInDays } = await parseParameters(context, only('expiresInDays'), daysSchema);
		return new Date(Date.now() + expiresInDays * dayMs).toISOString();
	}
	const { functions, itemIndex } = context;
	const entered: unknown = functions.getNodeParameter('expiresAt', itemIndex, '');
	const instant = await readInstant(entered, functions.getTimezone());
	if (instant !== undefined) return instant;
	throw invalidDate(functions.getNode(), 'Expires At', itemIndex);
}

async function readOutput(context: OperationContext) {
	const fields = only('binaryPropertyName', 'options');
	const { binaryPropertyName, options } = await parseParameters(context, fields, outputSchema);
	const { maxNumberOfAllocations, forIdentity, password, passwordLocationIndicator } = options;
	const passwordProtection = password && {
		password,
		...(/^[0-9]{4,16}$/.test(password) ? { passwordIsPin: true } : {}),
		...(passwordLocationIndicator === undefined ? {} : { passwordLocationIndicator }),
	};
	return {
		binaryPropertyName,
		qrCodeFormat: options.qrCodeFormat,
		limits: {
			...(maxNumberOfAllocations === undefined ? {} : { maxNumberOfAllocations }),
			...(forIdentity === undefined ? {} : { forIdentity }),
			...(passwordProtection === undefined ? {} : { passwordProtection }),
		},
	};
}
