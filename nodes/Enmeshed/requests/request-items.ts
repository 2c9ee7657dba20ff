import { shownText } from '../helpers/shown-text';

/** Any JSON object of a request. */
export type Content = Readonly<Record<string, unknown>>;

/** One item of a request, wherever it stands. */
export interface NamedItem {
	/** what the answer to it is called: unique within the request */
	readonly name: string;
	readonly item: Content;
	readonly mustBeAccepted: boolean;
}

/** The items of a request in its order: single ones, and groups with their members. */
export type NamedEntry = NamedItem | { readonly items: readonly NamedItem[] };

/**
 * Names the items of a request as its outcome does (type of value, title of a form field, `FreeText`,
 * `Authentication`, `Consent`); what is asked several times is counted: `GivenName`, `GivenName 2`.
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

/** The type of value that an item is about. */
export function valueTypeOf(item: Content): string | undefined {
	const query = objectIn(item, 'query');
	const types = [
		query['valueType'],
		objectIn(query, 'attributeCreationHints')['valueType'],
		objectIn(objectIn(item, 'attribute'), 'value')['@type'],
	];
	return types.find((type) => typeof type === 'string');
}

export function objectIn(object: Content, name: string): Content {
	const value = object[name];
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Content)
		: {};
}

export function objectsIn(object: Content, name: string): Content[] {
	const list = object[name];
	return Array.isArray(list) ? (list as Content[]) : [];
}

function baseName(item: Content): string {
	const about = valueTypeOf(item) ?? String(objectIn(item, 'query')['key'] ?? 'Attribute');
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
