import { objectMember } from '../helpers/members';
import { shownText } from '../helpers/shown-text';

/** JSON object within a request. */
export type Content = Readonly<Record<string, unknown>>;

/** Item of a request, at any depth. */
export interface NamedItem {
	/** name of the answer to the item, unique within the request */
	readonly name: string;
	readonly item: Content;
	readonly mustBeAccepted: boolean;
}

/** Items of a request in its order: single items, and groups with their members. */
export type NamedEntry = NamedItem | { readonly items: readonly NamedItem[] };

/**
 * Names the items of a request in the same way as its outcome (type of value, title of a form field,
 * `FreeText`, `Authentication`, `Consent`). Repeated names are numbered: `GivenName`, `GivenName 2`.
 */
export function nameItems(content: Content): NamedEntry[] {
	const used = new Map<string, number>();
	const named = (item: Content): NamedItem => {
		const base = shownText(baseName(item));
		const count = (used.get(base) ?? 0) + 1;
		used.set(base, count);
		const name = count === 1 ? base : `${base} ${count}`;
		return { name, item, mustBeAccepted: item['mustBeAccepted'] === true };
	};
	return objectsIn(content, 'items').map((entry) =>
		entry['@type'] === 'RequestItemGroup'
			? { items: objectsIn(entry, 'items').map(named) }
			: named(entry),
	);
}

export function flatItems(entries: readonly NamedEntry[]): NamedItem[] {
	return entries.flatMap((entry) => ('name' in entry ? [entry] : entry.items));
}

/** Type of value that an item asks for or offers. */
export function valueTypeOf(item: Content): string | undefined {
	const query = objectMember(item, 'query');
	const types = [
		query['valueType'],
		objectMember(query, 'attributeCreationHints')['valueType'],
		objectMember(objectMember(item, 'attribute'), 'value')['@type'],
	];
	return types.find((type) => typeof type === 'string');
}

export function objectsIn(object: Content, name: string): Content[] {
	const list = object[name];
	return Array.isArray(list) ? (list as Content[]) : [];
}

function baseName(item: Content): string {
	const about = valueTypeOf(item) ?? String(objectMember(item, 'query')['key'] ?? 'Attribute');
	switch (item['@type']) {
		case 'ReadAttributeRequestItem':
		case 'ProposeAttributeRequestItem':
			return about;
		case 'ShareAttributeRequestItem':
			return `Share ${about}`;
		case 'CreateAttributeRequestItem':
			return `Create ${about}`;
		case 'RegisterAttributeListenerRequestItem':
			return `Offer ${about}`;
		case 'DeleteAttributeRequestItem':
			return 'Delete';
		case 'FormFieldRequestItem':
			return String(item['title'] ?? 'Form Field');
		case 'TransferFileOwnershipRequestItem':
			return 'File';
		default:
			return String(item['@type'] ?? 'Item').replace(/RequestItem$/, '');
	}
}
