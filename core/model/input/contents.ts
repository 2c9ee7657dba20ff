import type { Attribute, IdentityAttributeValue } from '../content/attributes';
import type { CreationContent } from '../content/creation-content';
import type { MessageContent } from '../content/message-content';
import type {
	AttributeQuery,
	IdentityAttributeQuery,
	RelationshipAttributeQuery,
	ThirdPartyRelationshipAttributeQuery,
} from '../content/requests/queries';
import type { RequestItem } from '../content/requests/request-items';
import type { RequestItemGroup, UntypedRequest } from '../content/requests/requests';
import type { TemplateContent } from '../content/template-content';
import type { FormFieldSettings } from '../content/values/form-field-settings';
import type { RelationshipAttributeValue } from '../content/values/relationship-values';
import type { Json } from '../json';

/*
 * Contents inside the inputs of callers, one type for each place. The schemas of `model/content`
 * judge them when they are used.
 */

/** Members that have a default. */
type Defaulted = 'cc' | 'isTechnical' | 'propertyHints';

/** Content as callers write it: `@type` may be missing where the place knows it. */
type Written<Content> = [Json] extends [Content]
	? Content
	: Content extends ReadonlyArray<infer Element>
		? ReadonlyArray<Written<Element>>
		: Content extends object
			? WrittenObject<Content>
			: Content;

/** Object as callers write it. */
type WrittenObject<Content> = string extends keyof Content
	? Content
	: {
			readonly [Name in keyof Content as Exclude<Name, Defaulted>]: Written<Content[Name]>;
		} & {
			readonly [Name in keyof Content as Extract<Name, Defaulted>]?: Written<Content[Name]>;
		} & ('@type' extends keyof Content ? unknown : WithOptionalType);

/** Object whose type the place knows. */
export interface WithOptionalType {
	/** name of the type; may be missing, because the place knows it */
	readonly '@type'?: string;
}

/** Content of a message, for example `Mail`, `ArbitraryMessageContent` or `Request`. */
export type MessageContentInput = Written<MessageContent>;

/**
 * Content of a template: `RelationshipTemplateContent` or `ArbitraryRelationshipTemplateContent`.
 */
export type TemplateContentInput = Written<TemplateContent>;

/** Creation content of a relationship, which answers the content of its template. */
export type CreationContentInput = Written<CreationContent>;

/** Any object; content of a token. */
export type TokenContentInput = object;

/** Request before it has an id: `items`, `title`, `description`, `expiresAt`, `metadata`. */
export type RequestContentInput = Written<UntypedRequest>;

/** Item of a request, for example `ReadAttributeRequestItem`. */
export type RequestItemInput = Written<RequestItem>;

/** Group of items of a request. */
export type RequestItemGroupInput = Written<RequestItemGroup>;

/** Settings of a form field in a request. */
export type FormFieldSettingsInput = Written<FormFieldSettings>;

/** Attribute in a request. */
export type AttributeInput = Written<Attribute>;

/** Value of an identity attribute; the other members depend on its `@type`. */
export type IdentityAttributeValueInput = Written<IdentityAttributeValue>;

/** Value of a relationship attribute; the other members depend on its `@type`. */
export type RelationshipAttributeValueInput = Written<RelationshipAttributeValue>;

/** Value of an attribute; the other members depend on its `@type`. */
export type AttributeValueInput = IdentityAttributeValueInput | RelationshipAttributeValueInput;

/** Query of any kind. */
export type AttributeQueryInput = Written<AttributeQuery>;

/** `IdentityAttributeQuery`. */
export type IdentityAttributeQueryInput = Written<IdentityAttributeQuery>;

/** `RelationshipAttributeQuery`. */
export type RelationshipAttributeQueryInput = Written<RelationshipAttributeQuery>;

/** `ThirdPartyRelationshipAttributeQuery`. */
export type ThirdPartyRelationshipAttributeQueryInput =
	Written<ThirdPartyRelationshipAttributeQuery>;
