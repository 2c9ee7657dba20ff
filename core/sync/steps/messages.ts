import { reviewPlannedDeletions } from '../../domain/relationship/planned-deletions';
import type { Step } from './step';

/**
 * Fetches the message, unless it came with the batch, and its files; decrypts and stores them
 * (transport 7.4). Discards a message from a relationship that this account has since decomposed.
 */
export const messageReceived: Step<'MessageReceived'> = async (
	{ payload, services, messages, leftPeers },
	options,
) => {
	const { receipt } = services.messages;
	const message =
		messages.get(payload.id) ?? (await receipt.fetchIfShown(payload.id, leftPeers, options));
	if (message === undefined || receipt.isFromDecomposedRelationship(message, leftPeers)) {
		return () => Promise.resolve({});
	}
	// An identity with a planned deletion sends no messages, so the plan may have been cancelled.
	await reviewPlannedDeletions(services.relationships, [message.createdBy], options);
	const files = await receipt.loadAttachments(message, options);
	return async (tx) => {
		await receipt.receive(tx, message, files);
		return { messageId: message.id };
	};
};

/**
 * Reads the delivery status of an own message again after a recipient has fetched it
 * (transport 7.5).
 */
export const messageDelivered: Step<'MessageDelivered'> = async (
	{ payload, services },
	options,
) => {
	const message = await services.messages.receipt.fetch(payload.id, options);
	return async (tx) => {
		await services.messages.receipt.noteDelivery(tx, message);
		return { messageId: message.id };
	};
};
