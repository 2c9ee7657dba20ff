import { safeParse } from '../../base/schema-parse';
import { contentErrors } from './content-errors';
import { contentType, type ContentOf, type Flat } from './content-type';
import { anyField } from './fields';
import { ContentKinds, isBounded, parseKind } from './parse';
import { untypedResponse, type UntypedResponse } from './requests/responses';
import type { TemplateContent } from './template-content';
import type { UnknownContent } from '../json';

/** @see docs/protocol/content.md 10 */
export const relationshipCreationContent = contentType('RelationshipCreationContent', () => ({
	/** answer to the request of the template */
	response: untypedResponse,
}));

export const arbitraryRelationshipCreationContent = contentType(
	'ArbitraryRelationshipCreationContent',
	() => ({
		/** any JSON value except null */
		value: anyField,
	}),
);

/** What comes with the request for a relationship. */
export type CreationContent =
	| Flat<ContentOf<typeof relationshipCreationContent>>
	| Flat<ContentOf<typeof arbitraryRelationshipCreationContent>>;

export const creationContents = new ContentKinds('The creation content', () => [
	relationshipCreationContent,
	arbitraryRelationshipCreationContent,
]);

/**
 * Parses own creation content, whose kind must match the template's content.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.unknownType`,
 * `error.runtime.servalError`, `error.runtime.requestDeserialization`
 */
export function prepareCreationContent(
	content: unknown,
	templateContent: TemplateContent | UnknownContent,
): CreationContent {
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
export function readCreationResponse(
	content: CreationContent | UnknownContent,
): UntypedResponse | undefined {
	if (content['@type'] !== 'RelationshipCreationContent' || !isBounded(content)) return undefined;
	const result = safeParse(relationshipCreationContent.members, content);
	return result.success ? result.data.response : undefined;
}
