import type { PeerObject } from '../../../test/support/peer/peer';

/** Entry of a request as the page shows it. */
export interface RequestField {
	/** position in the request: item, or group and item */
	readonly path: readonly number[];
	readonly kind: 'share' | 'learn' | 'agree' | 'unknown';
	readonly label: string;
	/** value that the other side shares */
	readonly value?: string;
	/** link to further information */
	readonly link?: { readonly url: string; readonly text: string };
	readonly required: boolean;
}

/** Input of the person for a field. */
export interface FieldAnswer {
	readonly accept: boolean;
	readonly value?: string;
}

interface Item {
	readonly '@type': string;
	readonly title?: string;
	readonly mustBeAccepted?: boolean;
	readonly items?: readonly Item[];
	readonly query?: { readonly valueType?: string };
	readonly attribute?: { readonly value: Record<string, unknown> };
	readonly consent?: string;
	readonly link?: string;
	readonly linkDisplayText?: string;
}

export function requestItems(request: PeerObject): readonly Item[] {
	return (request['content'] as { items: readonly Item[] }).items;
}

export function requestFields(
	items: readonly Item[],
	path: readonly number[] = [],
): RequestField[] {
	return items.flatMap((item, index) => {
		const here = [...path, index];
		return item.items === undefined ? [fieldOf(item, here)] : requestFields(item.items, here);
	});
}

function fieldOf(item: Item, path: readonly number[]): RequestField {
	const required = item.mustBeAccepted === true;
	switch (item['@type']) {
		case 'ReadAttributeRequestItem':
			return { path, kind: 'share', label: spoken(item.query?.valueType ?? 'Attribute'), required };
		case 'ShareAttributeRequestItem': {
			const { '@type': type, value } = item.attribute?.value ?? {};
			const label = spoken(String(type ?? 'Attribute'));
			return { path, kind: 'learn', label, value: String(value ?? ''), required };
		}
		case 'ConsentRequestItem':
			return { path, kind: 'agree', label: item.consent ?? 'Consent', ...linkOf(item), required };
		default:
			return { path, kind: 'unknown', label: item.title ?? spoken(item['@type']), required };
	}
}

/** Peers may send any address; a page must not follow an address that runs a script. */
function linkOf({ link, linkDisplayText }: Item): Pick<RequestField, 'link'> {
	if (link === undefined || !/^https?:\/\//i.test(link)) return {};
	return { link: { url: link, text: linkDisplayText ?? link } };
}

/** Decision to accept, in the form that the official runtime expects. */
export function decisionItems(
	items: readonly Item[],
	answerAt: (path: readonly number[]) => FieldAnswer,
	owner: string,
	path: readonly number[] = [],
): object[] {
	return items.map((item, index) => {
		const here = [...path, index];
		if (item.items !== undefined) {
			return { items: decisionItems(item.items, answerAt, owner, here) };
		}
		const answer = answerAt(here);
		if (!answer.accept) return { accept: false };
		if (item['@type'] !== 'ReadAttributeRequestItem') return { accept: true };
		const value = { '@type': item.query?.valueType, value: answer.value ?? '' };
		return { accept: true, newAttribute: { '@type': 'IdentityAttribute', owner, value } };
	});
}

/** Words of a type name as people write them, such as e-mail address for `EMailAddress`. */
function spoken(type: string): string {
	if (type === 'EMailAddress') return 'Email address';
	const words = type.replace(/RequestItem$/, '').replace(/([a-z])([A-Z])/g, '$1 $2');
	return words.charAt(0) + words.slice(1).toLowerCase();
}
