import { withMembers } from '../../model/content/parse';
import { withItems, withOneId, type UntypedRequest } from '../../model/content/requests/requests';
import type { ReadTransaction } from '../../store/store';
import { idAtPeer } from '../attribute/attribute-ids';
import { flatItemsOf } from './request-items';

/** Names the attributes in the items of an own request as the peer knows them. */
export async function namedForPeer(
	tx: ReadTransaction,
	given: UntypedRequest,
	{ peer, hasOneId }: { readonly peer: string; readonly hasOneId: boolean },
): Promise<UntypedRequest> {
	const request = hasOneId ? withOneId(given) : given;
	const ids = flatItemsOf(request).flatMap((item) =>
		item['@type'] === 'DeleteAttributeRequestItem' ? [item.attributeId] : [],
	);
	if (ids.length === 0) return request;
	const records = (await tx.attributes.getMany(ids)).map(({ record }) => record);
	const shared = records.filter(({ shareInfo }) => shareInfo?.peer === peer);
	const names = new Map(shared.map((record) => [record.id, idAtPeer(record)]));
	return withItems(request, (item) => {
		if (item['@type'] !== 'DeleteAttributeRequestItem') return item;
		const { attributeId } = item;
		return withMembers(item, { attributeId: names.get(attributeId) ?? attributeId });
	});
}
