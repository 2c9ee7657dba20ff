import type { RequestItemOf } from '../../../model/content/requests/request-items';
import { createAttributeListener } from '../../attribute/attribute-listeners';
import { accepted, answeredBy } from './answers';
import type { ItemHandler } from './item-handler';

const acceptType = 'RegisterAttributeListenerAcceptResponseItem';

/** Handles 'Offer me such an attribute when you have one' (docs/protocol/consumption.md 6.4). */
export const registerAttributeListenerHandler: ItemHandler<
	RequestItemOf<'RegisterAttributeListenerRequestItem'>
> = {
	async accept(item, _parameters, { tx, peer, writer }) {
		const wanted = { query: item.query, peer };
		const { id } = await createAttributeListener(tx, wanted, writer);
		return { response: accepted(acceptType, { listenerId: id }) };
	},
	checkResponse: (item, response) => answeredBy([acceptType], item, response),
};
