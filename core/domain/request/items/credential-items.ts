import { appendEvent } from '../../../events/outbox';
import type { RequestItemOf } from '../../../model/content/requests/request-items';
import { requestErrors } from '../request-errors';
import { answeredBy } from './answers';
import type { ItemHandler, ResponseDependencies } from './item-handler';

type CredentialItem = RequestItemOf<
	'ShareAuthorizationRequestRequestItem' | 'ShareCredentialOfferRequestItem'
>;

/**
 * Handles links to issuers and verifiers of credentials (docs/protocol/generation-7.md 8.7). This
 * gateway has no client for them: it sends such items without looking at the link, and can only
 * reject those that it receives. What a peer obtains or presents does not pass through it.
 */
export const credentialItemHandler: ItemHandler<CredentialItem> = {
	checkAccept: (item) =>
		Promise.resolve(
			requestErrors.create('unexpectedDuringItem', {
				message: `Items of type '${item['@type']}' can only be rejected here.`,
			}),
		),
	accept: () => Promise.reject(new TypeError('Expected items that were checked')),
	checkResponse: (item, response) => answeredBy(['AcceptResponseItem'], item, response),
	applyResponse: async (item, _response, context) => {
		await publishOfferProcessed(item, context, true);
		return {};
	},
	applyRejection: (item, context) => publishOfferProcessed(item, context, false),
};

/** Tells what the peer did with an offer of credentials; nothing about other items. */
async function publishOfferProcessed(
	item: CredentialItem,
	{ tx, peer, requestId, writer }: ResponseDependencies,
	accepted: boolean,
): Promise<void> {
	if (item['@type'] !== 'ShareCredentialOfferRequestItem') return;
	await appendEvent(tx, {
		name: 'consumption.shareCredentialOfferRequestItemProcessedByRecipient',
		createdAt: writer.now,
		peer,
		subject: requestId,
		data: { credentialOfferUrl: item.credentialOfferUrl, accepted, peer },
	});
}
