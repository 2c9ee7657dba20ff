import type { INodeProperties } from 'n8n-workflow';
import type { TemplateContentInput } from '../../../../core';
import { loadCore } from '../../gateway/core';
import { textMember } from '../../helpers/members';
import type { OperationCall } from '../../operation/operation';
import { parameterError } from '../../errors/parameter-error';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { buildRequest } from '../../requests/build-request';

const contentModeSchema = parameterSchema((z) =>
	z.object({ contentMode: z.enum(['fields', 'json']) }),
);

const contentSchema = parameterSchema((z, { jsonObject }) => z.object({ content: jsonObject }));

const formSchema = parameterSchema((z, { text }) =>
	z.object({ title: text, askConnectedPeers: z.boolean() }),
);

/** Reads the content of a template from the fields of `create-fields`. */
export async function readContent(
	call: OperationCall,
	fields: readonly INodeProperties[],
): Promise<TemplateContentInput> {
	const only = (...names: string[]) => fields.filter(({ name }) => names.includes(name));
	const { contentMode } = await parseParameters(call, only('contentMode'), contentModeSchema);
	if (contentMode === 'json') {
		const { content } = await parseParameters(call, only('content'), contentSchema);
		return (await loadCore()).judged(content);
	}
	const { title, askConnectedPeers } = await parseParameters(
		call,
		only('title', 'askConnectedPeers'),
		formSchema,
	);
	const request = await buildRequest(call);
	return {
		'@type': 'RelationshipTemplateContent',
		title,
		onNewRelationship: request,
		...(askConnectedPeers ? { onExistingRelationship: request } : {}),
	};
}

/**
 * Refuses contents that put no question to a person.
 *
 * @throws `error.gateway.waits.nothingAsked`
 */
export async function requireQuestion(template: Record<string, unknown>): Promise<void> {
	if (textMember(template, '@type') === 'RelationshipTemplateContent') return;
	const { waitErrors } = await loadCore();
	throw waitErrors.create('nothingAsked', {
		message: `Expected a 'RelationshipTemplateContent', found '${String(template['@type'])}'`,
	});
}

/**
 * Title of the template, which is also the headline of the page.
 *
 * @throws NodeOperationError
 */
export function requireTitle(
	{ functions, itemIndex }: OperationCall,
	template: Record<string, unknown>,
): string {
	const title = textMember(template, 'title')?.trim() ?? '';
	if (title !== '') return title;
	throw parameterError(functions.getNode(), 'The page has no title', {
		description: "Give the template a 'title', or add the option 'Page Title'",
		itemIndex,
	});
}
