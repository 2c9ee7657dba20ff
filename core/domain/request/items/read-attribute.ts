import type { GatewayError } from '../../../base/errors';
import type {
	RelationshipAttributeQuery,
	ThirdPartyRelationshipAttributeQuery,
} from '../../../model/content/requests/queries';
import type { RequestItemOf } from '../../../model/content/requests/request-items';
import { askingHandler, keyOfQuery } from './asking-handler';
import type { CheckDependencies } from './item-handler';
import { checkKeyIsNew } from './same-key';
import { invalidItem } from './answers';

/**
 * Handles 'Please give me an attribute that fits this query' (docs/protocol/consumption.md 6.6).
 */
export const readAttributeHandler = askingHandler({
	names: { existing: 'existingAttributeId', fresh: 'newAttribute' },
	acceptType: 'ReadAttributeAcceptResponseItem',

	async checkOutgoing({ query }: RequestItemOf<'ReadAttributeRequestItem'>, context) {
		switch (query['@type']) {
			case 'ThirdPartyRelationshipAttributeQuery':
				return checkThirdParties(query, context);
			case 'RelationshipAttributeQuery':
				return await checkRelationshipQuery(query, context);
			case 'IdentityAttributeQuery':
			case 'IQLQuery':
				return undefined;
		}
	},
});

function checkThirdParties(
	{ thirdParty }: ThirdPartyRelationshipAttributeQuery,
	context: CheckDependencies,
): GatewayError | undefined {
	const refused = thirdParty.find(
		(address) =>
			address === context.ownAddress || (context.peer !== undefined && address === context.peer),
	);
	if (refused === undefined) return undefined;
	return invalidItem(
		'The sender or the recipient of the request cannot be the third party of its query.',
	);
}

async function checkRelationshipQuery(
	query: RelationshipAttributeQuery,
	{ tx, ownAddress, peer }: CheckDependencies,
): Promise<GatewayError | undefined> {
	const wanted = keyOfQuery(query);
	if (wanted === undefined) return undefined;
	const { owner } = wanted;
	if (owner !== '' && owner !== ownAddress) {
		return invalidItem(
			"The owner of the queried relationship attribute must be the sender or '' (the recipient).",
		);
	}
	return await checkKeyIsNew(tx, wanted, peer);
}
