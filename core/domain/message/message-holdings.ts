import { deletedIdentityPseudonyms, partsOfAddress } from '../../model/address';
import type { MessageRecord } from '../../model/record/message';
import type { Observer } from '../observers';
import { matching } from '../query/conditions';

interface Recipient {
	readonly address: string;
	readonly relationshipId?: string | undefined;
}

/**
 * Deletes the messages of a decomposed relationship and the sends that were prepared for it.
 * Messages that have other recipients, too, stay with a pseudonym in place of the peer
 * (docs/protocol/transport.md 6.4, 7.6).
 */
export function messageHoldings(ownAddress: string): Observer<'relationshipDecomposed'> {
	const hostname = partsOfAddress(ownAddress)?.hostname ?? '';
	const pseudonym = deletedIdentityPseudonyms(hostname).client;
	return {
		relationshipDecomposed: async (tx, { id: relationshipId }) => {
			const messages = await tx.messages.list({
				where: matching({ recipientRelationshipId: relationshipId }),
			});
			for (const { record } of messages) {
				const recipients = withoutPeer(record.recipients, relationshipId, pseudonym);
				if (record.isOwn && isForOthers(recipients, pseudonym)) {
					await tx.messages.update({ ...record, recipients });
				} else {
					await tx.messages.delete(record.id);
				}
				// Events of the message name the peer, so they are erased even when the message stays.
				await tx.outbox.erase(record.id);
			}
			for (const { record } of await tx.sendIntents.list()) {
				if (!record.recipients.some((recipient) => recipient.relationshipId === relationshipId)) {
					continue;
				}
				const recipients = withoutPeer(record.recipients, relationshipId, pseudonym);
				await tx.outbox.erase(record.id);
				if (isForOthers(recipients, pseudonym)) {
					await tx.sendIntents.update({ ...record, recipients });
				} else {
					await tx.sendIntents.delete(record.id);
					await tx.work.delete(record.id);
				}
			}
		},
	};
}

function withoutPeer(
	recipients: readonly Recipient[],
	relationshipId: string,
	pseudonym: string,
): MessageRecord['recipients'] {
	return recipients.map((recipient) =>
		recipient.relationshipId === relationshipId ? { address: pseudonym } : { ...recipient },
	);
}

function isForOthers(recipients: readonly Recipient[], pseudonym: string): boolean {
	return recipients.some(({ address }) => address !== pseudonym);
}
