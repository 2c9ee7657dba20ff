import { forOperation, simplify } from '../../descriptions/common';
import { templateLocator } from '../../descriptions/locators';
import { qrCodeFields } from '../../descriptions/qr-code';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { qrCodeShape, withTemplateQrCode } from '../../output/qr-code';
import { describeTemplate, simplifyTemplate } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields = [templateLocator(), simplify, ...qrCodeFields];

const inputSchema = parameterSchema((z, schemas) =>
	z.object({ template: schemas.locator, simplify: z.boolean(), ...qrCodeShape(z, schemas) }),
);

export const get: Operation = {
	properties: forOperation('relationshipTemplate', 'get', fields),
	output: 'template',

	async execute(call) {
		const { gateway, signal } = call;
		const parameters = await parseParameters(call, fields, inputSchema);
		const template = await gateway.templates.get(parameters.template, { signal });
		const json = parameters.simplify ? simplifyTemplate(template) : describeTemplate(template);
		if (!parameters.drawQrCode) return [toRecord(json)];
		return [await withTemplateQrCode(call, template, json, parameters)];
	},
};
