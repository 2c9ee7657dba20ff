import * as z from 'zod';
import {
	contentType,
	fixed,
	sorted,
	tagged,
	type ContentOf,
	type Flat,
	type MembersOf,
} from '../content-type';
import { idField, listField } from '../fields';
import { responseItems, type ResponseItem } from './response-items';

const responseItem: z.ZodType<ResponseItem> = tagged(() => responseItems);

/** Group of response items (docs/protocol/content.md 6.1); groups do not nest. */
export const responseItemGroup = contentType('ResponseItemGroup', () => ({
	/** answers to the items of the group, in their order */
	items: listField(responseItem, { required: true, min: 1 }),
}));

/** Answers to the items of a group, in their order. */
export type ResponseItemGroup = Flat<ContentOf<typeof responseItemGroup>>;

const anyResponseItem: z.ZodType<ResponseItem | ResponseItemGroup> = tagged(() => [
	responseItemGroup,
	...responseItems,
]);

/** Response (docs/protocol/content.md 6.1); the text of its result is not checked. */
export const response = contentType('Response', () => ({
	/** `Accepted` or `Rejected` */
	result: z.string(),
	/** id of the answered request */
	requestId: idField,
	/** answers to the items and groups of the request, in their order */
	items: listField(anyResponseItem, { required: true, min: 1 }),
}));

/** Answer to a request. */
export type Response = Flat<ContentOf<typeof response>>;

/** Response in a position that takes nothing else, where its type is not written. */
export type UntypedResponse = Flat<MembersOf<typeof response>>;

export const untypedResponse: z.ZodType<UntypedResponse> = fixed(() => response);

/** @see docs/protocol/content.md 6.1 */
export const responseWrapper = contentType('ResponseWrapper', () => ({
	/** id of the answered request */
	requestId: idField,
	/** id of the message or template that brought the request */
	requestSourceReference: idField,
	/** kind of the object that brought the request */
	requestSourceType: z.enum(['RelationshipTemplate', 'Message']),
	/** the answer */
	response: untypedResponse,
}));

/** Adds the type that a response has outside its position. */
export function withResponseType(given: UntypedResponse): Response {
	return sorted({ ...given, '@type': 'Response' as const });
}

/** Answer to a request, as a message carries it. */
export type ResponseWrapper = Flat<ContentOf<typeof responseWrapper>>;
