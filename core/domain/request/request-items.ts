import type { Attribute } from '../../model/content/attributes';
import type { AttributeQuery } from '../../model/content/requests/queries';
import type { RequestItem } from '../../model/content/requests/request-items';
import type { Request, RequestItemGroup } from '../../model/content/requests/requests';
import type { ResponseItem } from '../../model/content/requests/response-items';
import type { ResponseItemGroup, UntypedResponse } from '../../model/content/requests/responses';

/* Shared shape of requests and responses: items, some of them in groups, which do not nest. */

type Item = RequestItem | ResponseItem;
type Group = RequestItemGroup | ResponseItemGroup;

export function isGroup<Given extends Item | Group>(item: Given): item is Extract<Given, Group> {
	return item['@type'] === 'RequestItemGroup' || item['@type'] === 'ResponseItemGroup';
}

/** Items without the groups around them. */
export function flatItemsOf(value: Pick<Request, 'items'>): RequestItem[];
export function flatItemsOf(value: Pick<UntypedResponse, 'items'>): ResponseItem[];
export function flatItemsOf(value: { readonly items: ReadonlyArray<Item | Group> }): Item[] {
	return value.items.flatMap((item): Item[] => (isGroup(item) ? item.items : [item]));
}

export function isMandatory(item: RequestItem): boolean {
	return item.mustBeAccepted === true;
}

/** Query of an item that asks for attributes. */
export function queryOf(item: RequestItem): AttributeQuery | undefined {
	return item['@type'] === 'ReadAttributeRequestItem' ||
		item['@type'] === 'ProposeAttributeRequestItem' ||
		item['@type'] === 'RegisterAttributeListenerRequestItem'
		? item.query
		: undefined;
}

/** Attribute in an item that creates, proposes or shares it. */
export function attributeOf(item: RequestItem): Attribute | undefined {
	return item['@type'] === 'CreateAttributeRequestItem' ||
		item['@type'] === 'ProposeAttributeRequestItem' ||
		item['@type'] === 'ShareAttributeRequestItem'
		? item.attribute
		: undefined;
}

/** Returns the content with other items in the same places; the order of members stays. */
export function withFlatItems(value: Request, items: readonly RequestItem[]): Request {
	const rest = [...items];
	const next = (former: RequestItem): RequestItem => rest.shift() ?? former;
	const replaced = value.items.map((item) =>
		isGroup(item) ? { ...item, items: item.items.map(next) } : next(item),
	);
	return { ...value, items: replaced };
}
