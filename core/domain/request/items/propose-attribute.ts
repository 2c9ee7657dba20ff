import type { GatewayError } from '../../../base/errors';
import {
	mismatchOfProposal,
	type RequestItemOf,
} from '../../../model/content/requests/request-items';
import { mismatchOf } from '../../attribute/queries/query-match';
import { requestErrors } from '../request-errors';
import { askingHandler, keyOfQuery } from './asking-handler';
import type { CheckDependencies } from './item-handler';
import { checkKeyIsNew } from './same-key';
import { invalidItem } from './answers';

/** Handles 'May this be your attribute?' (docs/protocol/consumption.md 6.7). */
export const proposeAttributeHandler = askingHandler({
	names: { existing: 'attributeId', fresh: 'attribute' },
	acceptType: 'ProposeAttributeAcceptResponseItem',
	checkOutgoing: checkProposal,
	isOwnedByRecipient: true,
});

async function checkProposal(
	{ query, attribute }: RequestItemOf<'ProposeAttributeRequestItem'>,
	{ tx, ownAddress, peer }: CheckDependencies,
): Promise<GatewayError | undefined> {
	const key = keyOfQuery(query);
	if (key !== undefined && key.owner !== '') {
		return invalidItem("The owner of the query of a proposal must be '' (the recipient).");
	}
	if (attribute.owner !== '') {
		return invalidItem("The owner of a proposed attribute must be '' (the recipient).");
	}
	const kindReason = mismatchOfProposal(query, attribute);
	const reason =
		kindReason === undefined
			? mismatchOf(query, attribute, { sender: ownAddress, recipient: '' })
			: `it ${kindReason}`;
	if (reason !== undefined) {
		return requestErrors.create('attributeQueryMismatch', {
			message: `The proposed attribute does not fit the query: ${reason}.`,
		});
	}
	return key && (await checkKeyIsNew(tx, key, peer));
}
