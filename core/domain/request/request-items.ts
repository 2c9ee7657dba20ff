import type { JsonObject } from '../../model/json';

/* Shared shape of requests and responses: items, some of them in groups, which do not nest. */

export function itemsOf(value: JsonObject): JsonObject[] {
	return Array.isArray(value['items']) ? (value['items'] as JsonObject[]) : [];
}

export function isGroup(item: JsonObject): boolean {
	return item['@type'] === 'RequestItemGroup' || item['@type'] === 'ResponseItemGroup';
}

/** Items without the groups around them. */
export function flatItemsOf(value: JsonObject): JsonObject[] {
	return itemsOf(value).flatMap((item) => (isGroup(item) ? itemsOf(item) : [item]));
}

export function isMandatory(item: JsonObject): boolean {
	return item['mustBeAccepted'] === true;
}

/** Returns the content with other items in the same places; the order of members stays. */
export function withFlatItems(value: JsonObject, items: readonly JsonObject[]): JsonObject {
	const rest = [...items];
	const next = (former: JsonObject): JsonObject => rest.shift() ?? former;
	const replaced = itemsOf(value).map((item) =>
		isGroup(item) ? { ...item, items: itemsOf(item).map(next) } : next(item),
	);
	return { ...value, items: replaced };
}
