import type { Cancellable } from '../../base/abort';
import type { WireMessage } from '../../backbone/dto';
import { reviewPlannedDeletions } from '../../domain/relationship/planned-deletions';
import type { Step, StepServices } from './step';

/**
 * Fetches the message, unless it came with the batch, and its files; decrypts and stores them
 * (transport 7.4). A message of this account comes from a comparison with the Backbone's list.
 * Discards a message from a relationship that this account has since decomposed.
 */
export const messageReceived: Step<'MessageReceived'> = async (
	{ payload, services, prefetched, leftPeers },
	options,
) => {
	const { messageReceipt: receipt } = services;
	const message =
		prefetched.messages.get(payload.id) ??
		(await receipt.fetchIfShown(payload.id, leftPeers, options));
	if (message === undefined || receipt.isFromDecomposedRelationship(message, leftPeers)) {
		return () => Promise.resolve({});
	}
	if (receipt.isOwn(message)) {
		return async (tx) => {
			await receipt.receiveOwn(tx, message);
			return {};
		};
	}
	if (!prefetched.reviewedSenders.has(message.createdBy)) {
		await reviewSenders([message], services, options);
	}
	const files = await receipt.loadAttachments(message, options);
	return async (tx) => {
		await receipt.receive(tx, message, files);
		return { messageId: message.id };
	};
};

/** An identity with a planned deletion sends no messages, so the plan may have been cancelled. */
export async function reviewSenders(
	messages: readonly WireMessage[],
	services: StepServices,
	options: Cancellable,
): Promise<ReadonlySet<string>> {
	const senders = new Set(messages.map(({ createdBy }) => createdBy));
	await reviewPlannedDeletions(services.relationships, [...senders], options);
	return senders;
}

/**
 * Reads the delivery status of an own message again after a recipient has fetched it
 * (transport 7.5).
 */
export const messageDelivered: Step<'MessageDelivered'> = async (
	{ payload, services },
	options,
) => {
	const message = await services.messageReceipt.fetch(payload.id, options);
	return async (tx) => {
		await services.messageReceipt.noteDelivery(tx, message);
		return { messageId: message.id };
	};
};
