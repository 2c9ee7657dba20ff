import type { JsonObject } from '../json';
import { contentErrors } from './content-errors';
import { contentType, fixed } from './content-type';
import { anyField } from './fields';
import { ContentKinds, isBounded, parseKind } from './parse';
import { response } from './requests/responses';

/** @see docs/protocol/content.md 10 */
export const relationshipCreationContent = contentType('RelationshipCreationContent', () => ({
	response: fixed(() => response),
}));

export const arbitraryRelationshipCreationContent = contentType(
	'ArbitraryRelationshipCreationContent',
	() => ({ value: anyField }),
);

const creationContents = new ContentKinds('The creation content', () => [
	relationshipCreationContent,
	arbitraryRelationshipCreationContent,
]);

/**
 * Parses own creation content, whose kind must match the template's content.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.unknownType`,
 * `error.runtime.servalError`, `error.runtime.requestDeserialization`
 */
export function prepareCreationContent(content: unknown, templateContent: JsonObject): JsonObject {
	const parsed = parseKind(content, creationContents);
	const templateIsStandard = templateContent['@type'] === 'RelationshipTemplateContent';
	const creationIsStandard = parsed['@type'] === 'RelationshipCreationContent';
	if (templateIsStandard !== creationIsStandard) {
		throw contentErrors.create('wrongKind', {
			message: templateIsStandard
				? 'The template has a request, so the creation content must be a RelationshipCreationContent with its response.'
				: 'The template has no request, so the creation content must be an ArbitraryRelationshipCreationContent.',
			facts: { field: 'creationContent' },
		});
	}
	return parsed;
}

/**
 * Response to the request of this account's template; undefined if the peer sent no readable
 * response.
 */
export function readCreationResponse(content: JsonObject): JsonObject | undefined {
	if (content['@type'] !== 'RelationshipCreationContent' || !isBounded(content)) return undefined;
	const result = relationshipCreationContent.members.safeParse(content);
	return result.success ? (result.data['response'] as JsonObject) : undefined;
}
