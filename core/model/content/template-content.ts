import type { JsonObject } from '../json';
import { contentErrors } from './content-errors';
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
	refuseInternalMessage(content);
	const parsed = parseKind(content, templateContents);
	requireReadableBy(6, parsed, 'The template content');
	return parsed;
}

/** An internal type of official software, which clients see by its first member (http-api 18.2). */
function refuseInternalMessage(content: unknown): void {
	if (typeof content !== 'object' || content === null) return;
	const { '@type': type, secretKey } = content as JsonObject;
	if (type !== 'Message' || secretKey !== undefined) return;
	throw contentErrors.create('notReadable', {
		message: 'Message.secretKey :: Value is not defined',
		facts: { field: 'content.secretKey' },
	});
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
