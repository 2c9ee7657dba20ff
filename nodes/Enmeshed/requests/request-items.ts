import type { AttributeQuery, RequestItem, UntypedRequest } from '../../../core';
import { shownText } from '../helpers/shown-text';

/** Item of a request, at any depth. */
export interface NamedItem {
	/** name of the answer to the item, unique within the request */
	readonly name: string;
	readonly item: RequestItem;
	readonly mustBeAccepted: boolean;
}

/** Items of a request in its order: single items, and groups with their members. */
export type NamedEntry = NamedItem | { readonly items: readonly NamedItem[] };

/**
 * Names the items of a request in the same way as its outcome (type of value, title of a form
 * field, `FreeText`, `Authentication`, `Consent`). Repeated names are numbered: `GivenName`,
 * `GivenName 2`.
 */
export function nameItems({ items }: UntypedRequest): NamedEntry[] {
	const used = new Map<string, number>();
	const named = (item: RequestItem): NamedItem => {
		const base = shownText(baseName(item));
		const count = (used.get(base) ?? 0) + 1;
		used.set(base, count);
		const name = count === 1 ? base : `${base} ${count}`;
		return { name, item, mustBeAccepted: item.mustBeAccepted === true };
	};
	return items.map((entry) =>
		entry['@type'] === 'RequestItemGroup' ? { items: entry.items.map(named) } : named(entry),
	);
}

export function flatItems(entries: readonly NamedEntry[]): NamedItem[] {
	return entries.flatMap((entry) => ('name' in entry ? [entry] : entry.items));
}

/** Type of value that an item asks for or offers. */
export function valueTypeOf(item: RequestItem): string | undefined {
	switch (item['@type']) {
		case 'ReadAttributeRequestItem':
		case 'RegisterAttributeListenerRequestItem':
			return valueTypeAskedBy(item.query);
		case 'ProposeAttributeRequestItem':
			return valueTypeAskedBy(item.query) ?? item.attribute.value['@type'];
		case 'CreateAttributeRequestItem':
		case 'ShareAttributeRequestItem':
			return item.attribute.value['@type'];
		case 'AuthenticationRequestItem':
		case 'ConsentRequestItem':
		case 'DeleteAttributeRequestItem':
		case 'FormFieldRequestItem':
		case 'FreeTextRequestItem':
		case 'ShareAuthorizationRequestRequestItem':
		case 'ShareCredentialOfferRequestItem':
		case 'TransferFileOwnershipRequestItem':
			return undefined;
	}
}

function valueTypeAskedBy(query: AttributeQuery): string | undefined {
	switch (query['@type']) {
		case 'IdentityAttributeQuery':
			return query.valueType;
		case 'IQLQuery':
			return query.attributeCreationHints?.valueType;
		case 'RelationshipAttributeQuery':
			return query.attributeCreationHints.valueType;
		case 'ThirdPartyRelationshipAttributeQuery':
			return undefined;
	}
}

function baseName(item: RequestItem): string {
	switch (item['@type']) {
		case 'ReadAttributeRequestItem':
		case 'ProposeAttributeRequestItem':
			return subjectOf(item);
		case 'ShareAttributeRequestItem':
			return `Share ${subjectOf(item)}`;
		case 'CreateAttributeRequestItem':
			return `Create ${subjectOf(item)}`;
		case 'RegisterAttributeListenerRequestItem':
			return `Offer ${subjectOf(item)}`;
		case 'DeleteAttributeRequestItem':
			return 'Delete';
		case 'FormFieldRequestItem':
			return item.title;
		case 'TransferFileOwnershipRequestItem':
			return 'File';
		case 'AuthenticationRequestItem':
		case 'ConsentRequestItem':
		case 'FreeTextRequestItem':
		case 'ShareAuthorizationRequestRequestItem':
		case 'ShareCredentialOfferRequestItem':
			return item['@type'].replace(/RequestItem$/, '');
	}
}

/** Type of value, or the key of attributes of third parties. */
function subjectOf(item: RequestItem): string {
	const valueType = valueTypeOf(item);
	if (valueType !== undefined) return valueType;
	return item['@type'] === 'ReadAttributeRequestItem' ||
		item['@type'] === 'RegisterAttributeListenerRequestItem'
		? keyAskedBy(item.query)
		: 'Attribute';
}

function keyAskedBy(query: AttributeQuery): string {
	return query['@type'] === 'ThirdPartyRelationshipAttributeQuery' ? query.key : 'Attribute';
}
