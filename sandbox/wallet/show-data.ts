import type { AttributeDto, Gateway } from '../../core';
import { attributeText } from './forms/value-texts';
import type { JsonObject } from './forms/request-entries';
import type { Names } from './names';
import type { OwnAttribute } from './shown/state';

/** Own attributes in their newest versions, each with the contacts that have it. */
export async function ownAttributes(
	gateway: Gateway,
	ownAddress: string,
	names: Names,
): Promise<OwnAttribute[]> {
	const own = await gateway.attributes.listRepository();
	const shared = await sharedByContent(gateway, ownAddress);
	// Parts of an address or a name are shown with it.
	return own
		.filter(({ parentId }) => parentId === undefined)
		.map((attribute) => {
			const { label, text } = attributeText(attribute.content);
			const peers = shared.get(attribute.id) ?? new Set();
			const sharedWith = [...peers].map((peer) => names.of(peer));
			return { id: attribute.id, type: typeOf(attribute), label, text, sharedWith };
		});
}

async function sharedByContent(
	{ attributes }: Gateway,
	owner: string,
): Promise<ReadonlyMap<string, Set<string>>> {
	const copies = await attributes.list({ where: [{ field: 'owner', op: 'eq', value: owner }] });
	const peers = new Map<string, Set<string>>();
	for (const { shareInfo } of copies) {
		if (shareInfo?.sourceAttribute === undefined) continue;
		const known = peers.get(shareInfo.sourceAttribute) ?? new Set();
		peers.set(shareInfo.sourceAttribute, known.add(shareInfo.peer));
	}
	return peers;
}

const typeOf = ({ content }: AttributeDto): string =>
	String((content['value'] as JsonObject | undefined)?.['@type'] ?? '');
