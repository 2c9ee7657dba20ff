import type * as z from 'zod';
import { isJsonObject, type JsonObject } from '../../json';
import {
	contentType,
	sorted,
	tagged,
	type ContentOf,
	type Flat,
	type MembersOf,
} from '../content-type';
import { dateField, idField, listField, objectField } from '../fields';
import { requireStoredForm } from '../generations';
import { isBounded, parseAs, withMembers } from '../parse';
import { descriptionShape, ownRequestItems, requestItems, type RequestItem } from './request-items';

/** Group of request items (docs/protocol/content.md 5.2); groups do not nest. */
const groupOf = (items: typeof requestItems) => {
	const item: z.ZodType<RequestItem> = tagged(() => items);
	return contentType('RequestItemGroup', () => ({
		...descriptionShape(),
		/** items of the group */
		items: listField(item, { required: true, min: 1 }),
		/** free data of the sender, which no response repeats */
		metadata: objectField.nullish(),
	}));
};

const requestOf = (group: typeof requestItemGroup, items: typeof requestItems) => {
	const item: z.ZodType<RequestItem | RequestItemGroup> = tagged(() => [group, ...items]);
	return contentType('Request', () => ({
		/** `REQ` id; absent until the request is created */
		id: idField.nullish(),
		/** ISO time until which it can be answered; absent: without end */
		expiresAt: dateField.nullish(),
		/** items and groups */
		items: listField(item, { required: true, min: 1 }),
		...descriptionShape(),
		/** free data of the sender, which no response repeats */
		metadata: objectField.nullish(),
	}));
};

export const requestItemGroup = groupOf(requestItems);
/** Group of items in a request. */
export type RequestItemGroup = Flat<ContentOf<typeof requestItemGroup>>;

/** @see docs/protocol/content.md 5.1 */
export const request = requestOf(requestItemGroup, requestItems);
/** Request of one identity to another. */
export type Request = Flat<ContentOf<typeof request>>;

/** Request in a position that takes nothing else, where its type is not written. */
export type UntypedRequest = Flat<MembersOf<typeof request>>;

/** Adds the type that a request has outside its position. */
export function withType(request: UntypedRequest): Request {
	return sorted({ ...request, '@type': 'Request' as const });
}

/** Request that this account writes. */
export const ownRequest = requestOf(groupOf(ownRequestItems), ownRequestItems);

/**
 * Parses a request that this account wants to send. `@type` may be missing; the result is in the
 * form of version 6.
 *
 * @param own attributes that Share items may name as version 7 does
 *
 * @throws `error.runtime.requestDeserialization`, `error.runtime.unknownType`,
 * `error.runtime.servalError`
 */
export function parseOwnRequest(content: unknown, own?: ReadonlySet<string>): Request {
	const parsed = inFormOf6(parseAs(ownRequest, content, 'The request'), own);
	requireStoredForm(parsed, 'The request');
	return parsed;
}

/**
 * Writes a parsed own request in the form of version 6, which names a shared attribute in another
 * member (docs/protocol/content.md 13.2).
 *
 * @param own ids of attributes that an item may share; items that name another one stay unchanged
 */
export function inFormOf6(parsed: Request, own?: ReadonlySet<string>): Request;
export function inFormOf6(parsed: UntypedRequest, own?: ReadonlySet<string>): UntypedRequest;
export function inFormOf6(
	parsed: UntypedRequest,
	own: ReadonlySet<string> = new Set(),
): UntypedRequest {
	if (own.size === 0) return parsed;
	const itemInFormOf6 = (item: RequestItem): RequestItem => {
		if (item['@type'] !== 'ShareAttributeRequestItem') return item;
		const { attributeId, ...others } = item;
		if (item.sourceAttributeId !== undefined || attributeId === undefined) return item;
		return own.has(attributeId) ? withMembers(others, { sourceAttributeId: attributeId }) : item;
	};
	return withItems(parsed, itemInFormOf6);
}

/** Replaces each item, also those in groups. */
export function withItems(
	request: UntypedRequest,
	replaced: (item: RequestItem) => RequestItem,
): UntypedRequest {
	const items = request.items.map((item) =>
		item['@type'] === 'RequestItemGroup'
			? withMembers(item, { items: item.items.map(replaced) })
			: replaced(item),
	);
	return withMembers(request, { items });
}

/**
 * Gives Share items the id of the shared attribute as the id that the peer takes over, for accounts
 * whose attributes have one id.
 */
export const withOneId = (request: UntypedRequest): UntypedRequest =>
	withItems(request, (item) =>
		item['@type'] === 'ShareAttributeRequestItem' && item.sourceAttributeId !== undefined
			? withMembers(item, { attributeId: item.sourceAttributeId })
			: item,
	);

/** Ids that Share items in own requests, or in own template content, name as version 7 does. */
export function attributesSharedAs7(content: unknown): string[] {
	return isBounded(content) ? sharedIn(content) : [];
}

function sharedIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(sharedIn);
	if (!isJsonObject(value)) return [];
	const { items, onNewRelationship, onExistingRelationship } = value;
	const inner = [items, onNewRelationship, onExistingRelationship].flatMap(sharedIn);
	return isShareItemOf7(value) ? [value.attributeId, ...inner] : inner;
}

const isShareItemOf7 = (item: JsonObject): item is { attributeId: string } =>
	item['@type'] === 'ShareAttributeRequestItem' &&
	item['sourceAttributeId'] === undefined &&
	typeof item['attributeId'] === 'string';
