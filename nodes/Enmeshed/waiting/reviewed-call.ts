import type { INodeProperties } from 'n8n-workflow';
import { loadCore } from '../gateway/core';
import { isObject } from '../helpers/members';
import type { OperationCall } from '../operation/operation';
import { isToolVariant } from '../operation/tool-variant';

/** Text that JavaScript, and so n8n, writes for an object within a longer text. */
const writtenObject = '[object Object]';

/** Part of n8n's data proxy in a node for human review. */
interface ReviewedTool {
	readonly parameters?: unknown;
}

/**
 * Message of a node for human review, in which the parameters of the tool call can be read. The
 * message that n8n suggests has `{{ $tool.parameters }}`, an object, in a text.
 */
export function withReadableCall(
	{ functions, itemIndex }: Pick<OperationCall, 'functions' | 'itemIndex'>,
	message: string,
): string {
	if (!message.includes(writtenObject)) return message;
	const tool: ReviewedTool | undefined = functions.getWorkflowDataProxy(itemIndex)['$tool'];
	const parameters = describeParameters(tool?.parameters);
	return message.replaceAll(writtenObject, () => parameters);
}

/**
 * Refuses the texts of an agent with an expression that has no value. Each expression is evaluated
 * by itself, because the whole text does not show which parts are missing.
 *
 * @param fields with the texts that a person will read
 * @throws `error.gateway.waits.emptyExpression`
 */
export async function requireCompleteTexts(
	{ functions, itemIndex }: Pick<OperationCall, 'functions' | 'itemIndex'>,
	fields: ReadonlyArray<Pick<INodeProperties, 'name' | 'displayName'>>,
): Promise<void> {
	if (!isToolVariant(functions.getNode())) return;
	for (const { name, displayName } of fields) {
		const raw: unknown = functions.getNodeParameter(name, itemIndex, '', {
			rawExpressions: true,
		});
		if (typeof raw !== 'string' || !raw.startsWith('=')) continue;
		const expressions = raw.match(/\{\{.*?\}\}/gs) ?? [];
		const empty = expressions.find((expression) => {
			const value: unknown = functions.evaluateExpression(expression, itemIndex);
			return value === undefined || value === null || value === '';
		});
		if (empty === undefined) continue;
		const { waitErrors } = await loadCore();
		throw waitErrors.create('emptyExpression', {
			message: `The expression ${empty} in the field '${displayName}' has no value`,
		});
	}
}

/** One line for each parameter, as its name and its value. */
function describeParameters(parameters: unknown): string {
	if (!isObject(parameters)) return asLine(parameters ?? '');
	return Object.entries(parameters)
		.map(([name, value]) => `${asLine(name)}: ${asLine(value)}`)
		.join('\n');
}

/**
 * Value in one line. Text with line breaks or other control characters becomes JSON, so that a
 * value cannot look like further parameters.
 */
function asLine(value: unknown): string {
	const isPlain = typeof value === 'string' && !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(value);
	if (isPlain) return value;
	return JSON.stringify(value).replaceAll(/[\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escaped);
}

function escaped(character: string): string {
	return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
