import type { JsonObject } from '../json';
import { contentErrors } from './content-errors';
import { contentType, fixed } from './content-type';
import { anyField, objectField, textField } from './fields';
import { requireReadableBy } from './generations';
import { ContentKinds, parseKind } from './parse';
import { request } from './requests/requests';

/** @see docs/protocol/content.md 10 */
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
 * Parses own template content.
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

/**
 * Refuses an internal type of official software with the error that official clients expect
 * (docs/protocol/http-api.md 18.2).
 */
function refuseInternalMessage(content: unknown): void {
	if (typeof content !== 'object' || content === null) return;
	const { '@type': type, secretKey } = content as JsonObject;
	if (type !== 'Message' || secretKey !== undefined) return;
	throw contentErrors.create('notReadable', {
		message: 'Message.secretKey :: Value is not defined',
		facts: { field: 'content.secretKey' },
	});
}

/** Requests in parsed template content, with the member that holds each. */
export function requestsOf(
	templateContent: JsonObject,
): ReadonlyArray<{ readonly name: string; readonly request: JsonObject }> {
	if (templateContent['@type'] !== 'RelationshipTemplateContent') return [];
	return ['onNewRelationship', 'onExistingRelationship'].flatMap((name) => {
		const member = templateContent[name];
		return member === undefined || member === null ? [] : [{ name, request: member as JsonObject }];
	});
}
