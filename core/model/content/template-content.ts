import type { JsonObject } from '../json';
import { contentType, fixed } from './content-type';
import { anyField, objectField, textField } from './fields';
import { requireReadableBy } from './generations';
import { ContentKinds, parseKind } from './parse';
import { request } from './requests';

/** docs/protocol/content.md 10 */
export const relationshipTemplateContent = contentType('RelationshipTemplateContent', () => ({
	title: textField({ max: 200 }).optional(),
	metadata: objectField.nullish(),
	onNewRelationship: fixed(() => request),
	onExistingRelationship: fixed(() => request).nullish(),
}));

export const arbitraryRelationshipTemplateContent = contentType(
	'ArbitraryRelationshipTemplateContent',
	() => ({ value: anyField }),
);

const templateContents = new ContentKinds('The template content', () => [
	relationshipTemplateContent,
	arbitraryRelationshipTemplateContent,
]);

/**
 * Reads own template content.
 *
 * @throws `error.runtime.validation.invalidPropertyValue` for another kind,
 * `error.runtime.unknownType`, `error.runtime.servalError`, `error.runtime.requestDeserialization`
 */
export function parseTemplateContent(content: unknown): JsonObject {
	const parsed = parseKind(content, templateContents);
	requireReadableBy(6, parsed, 'The template content');
	return parsed;
}

/** The requests that parsed template content carries, with the member that holds each. */
export function requestsOf(
	templateContent: JsonObject,
): ReadonlyArray<{ readonly name: string; readonly request: JsonObject }> {
	if (templateContent['@type'] !== 'RelationshipTemplateContent') return [];
	return ['onNewRelationship', 'onExistingRelationship'].flatMap((name) => {
		const member = templateContent[name];
		return member === undefined || member === null ? [] : [{ name, request: member as JsonObject }];
	});
}
