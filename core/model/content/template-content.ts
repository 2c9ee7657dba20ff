import { anyField, contentType, fixed, objectField, textField } from './fields';
import { parseKind } from './parse';
import { request } from './requests';
import type { JsonObject } from '../json';

/** docs/protocol/content.md 10 */
export const relationshipTemplateContent = contentType('RelationshipTemplateContent', {
	title: textField(200).optional(),
	metadata: objectField.nullish(),
	onNewRelationship: fixed(() => request),
	onExistingRelationship: fixed(() => request).nullish(),
});

export const arbitraryRelationshipTemplateContent = contentType(
	'ArbitraryRelationshipTemplateContent',
	{ value: anyField },
);

/**
 * Reads own template content.
 *
 * @throws `error.runtime.validation.invalidPropertyValue` for another kind,
 * `error.runtime.unknownType`, `error.runtime.requestDeserialization`
 */
export function parseTemplateContent(content: unknown): JsonObject {
	return parseKind(content, 'The template content', [
		relationshipTemplateContent,
		arbitraryRelationshipTemplateContent,
	]);
}
