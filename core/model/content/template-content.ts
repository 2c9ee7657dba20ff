import type * as z from 'zod';
import { ownMember, ownText, type UnknownContent } from '../json';
import { contentErrors } from './content-errors';
import { contentType, fixed, type ContentOf, type Flat } from './content-type';
import { anyField, objectField, textField } from './fields';
import { requireStoredForm } from './generations';
import { ContentKinds, parseKind, withMembers } from './parse';
import { inFormOf6, ownRequest, request, type UntypedRequest } from './requests/requests';

const templateContentOf = (requestType: typeof request) => {
	const untypedRequest: z.ZodType<UntypedRequest> = fixed(() => requestType);
	return contentType('RelationshipTemplateContent', () => ({
		/** what a person reads above the template */
		title: textField({ max: 200 }).optional(),
		/** free data of the creator */
		metadata: objectField.nullish(),
		/** request to identities without a relationship */
		onNewRelationship: untypedRequest,
		/** request to identities with an active relationship */
		onExistingRelationship: untypedRequest.nullish(),
	}));
};

/** @see docs/protocol/content.md 10 */
export const relationshipTemplateContent = templateContentOf(request);

export const arbitraryRelationshipTemplateContent = contentType(
	'ArbitraryRelationshipTemplateContent',
	() => ({
		/** any JSON value except null */
		value: anyField,
	}),
);

/** Content of a template with a request. */
export type RelationshipTemplateContent = Flat<ContentOf<typeof relationshipTemplateContent>>;
/** Content of a template. */
export type TemplateContent =
	RelationshipTemplateContent | Flat<ContentOf<typeof arbitraryRelationshipTemplateContent>>;

export const templateContents = new ContentKinds('The template content', () => [
	templateContentOf(ownRequest),
	arbitraryRelationshipTemplateContent,
]);

/**
 * Parses own template content.
 *
 * @param own attributes that Share items may name as version 7 does
 *
 * @throws `error.runtime.validation.invalidPropertyValue` for another kind,
 * `error.runtime.unknownType`, `error.runtime.servalError`, `error.runtime.requestDeserialization`
 */
export function parseTemplateContent(content: unknown, own?: ReadonlySet<string>): TemplateContent {
	refuseInternalMessage(content);
	const given = parseKind(content, templateContents);
	const parsed = withRequests(given, (one) => inFormOf6(one, own));
	requireStoredForm(parsed, 'The template content');
	return parsed;
}

/**
 * Refuses an internal type of official software with the error that official clients expect
 * (docs/protocol/http-api.md 18.2).
 */
function refuseInternalMessage(content: unknown): void {
	if (ownText(content, '@type') !== 'Message') return;
	if (ownMember(content, 'secretKey') !== undefined) return;
	throw contentErrors.create('notReadable', {
		message: 'Message.secretKey :: Value is not defined',
		facts: { field: 'content.secretKey' },
	});
}

/** Replaces each request of parsed template content. */
export function withRequests<Given extends TemplateContent>(
	content: Given,
	replaced: (one: UntypedRequest) => UntypedRequest,
): Given {
	const requests = requestsOf(content).map(({ name, request: one }) => [name, replaced(one)]);
	return withMembers(content, Object.fromEntries(requests));
}

/** Requests in parsed template content, with the member that holds each. */
export function requestsOf(
	content: TemplateContent | UnknownContent,
): ReadonlyArray<{ readonly name: string; readonly request: UntypedRequest }> {
	if (!templateContents.isKnown(content)) return [];
	if (content['@type'] !== 'RelationshipTemplateContent') return [];
	return (['onNewRelationship', 'onExistingRelationship'] as const).flatMap((name) => {
		const { [name]: request } = content;
		return request === undefined || request === null ? [] : [{ name, request }];
	});
}
