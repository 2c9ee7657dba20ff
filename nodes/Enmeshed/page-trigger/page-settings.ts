import type { IExecuteFunctions, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';
import { parameterError } from '../errors/parameter-error';
import { parameterSchema, parseParameters } from '../fields/parse-parameters';
import { defined } from '../helpers/members';
import type { OperationCall } from '../operation/operation';
import { pageOptionSchemas, pageSchemas } from '../waiting/page-fields';
import { pageSettingFields } from './page-trigger-fields';

type Host = ITriggerFunctions | IWebhookFunctions;

const settingsSchema = parameterSchema((z, fields) => {
	const { optionalText, limit } = fields;
	const { language, pageTitle, redirectUrl } = pageOptionSchemas(z, fields);
	return z.object({
		...pageSchemas(z),
		purpose: optionalText,
		whoCanAnswer: z.enum(['all', 'connected']),
		acceptAutomatically: z.boolean('Expected true or false'),
		afterTheAnswer: z.enum(['text', 'redirect']),
		answeredText: optionalText,
		redirectUrl,
		options: z.object({
			language,
			pageTitle,
			codesPerMinute: limit.pipe(z.number().max(1_000, 'At most 1000')).default(60),
			minutesValid: limit.pipe(z.number().max(1_440, 'At most 1440')).default(10),
			startWhenDeclined: z.boolean('Expected true or false').default(false),
			qrCodeFormat: z.enum(['reference', 'link']).default('link'),
		}),
	});
});

export type PageSettings = Awaited<ReturnType<typeof readPageSettings>>;

/**
 * Reads the fields of the page.
 *
 * @throws NodeOperationError for mistakes that a person has to correct
 */
export async function readPageSettings(functions: Host) {
	const call = { functions: asOperation(functions), itemIndex: 0 };
	const entered = await parseParameters(call, pageSettingFields, settingsSchema);
	const { options, afterTheAnswer, answeredText, redirectUrl, pageTexts, ...others } = entered;
	if (afterTheAnswer === 'text') {
		const texts = { ...pageTexts, ...defined({ answered: answeredText }) };
		return { ...others, ...options, texts, redirectUrl: undefined };
	}
	if (redirectUrl === undefined) {
		throw parameterError(functions.getNode(), "The field 'Redirect URL' is not valid", {
			description: 'It is empty',
		});
	}
	return { ...others, ...options, texts: pageTexts, redirectUrl };
}

/**
 * The functions of a trigger or webhook as operations use them: triggers have no items, so the
 * index of the item is left out.
 */
export function asOperation(functions: Host): OperationCall['functions'] {
	type Arguments = [name: string, itemIndex: number, fallback?: unknown, options?: object];
	const read: IExecuteFunctions = Object.create(functions, {
		getNodeParameter: {
			value: (...[name, , fallback, options]: Arguments) =>
				functions.getNodeParameter(name, fallback, options),
		},
		getInputData: { value: () => [{ json: {} }] },
	});
	return read;
}
