import { reviewPlannedDeletions } from '../../domain/relationship/planned-deletions';
import type { Step } from './index';

/**
 * Fetches the message unless it came with the batch, and its files; opens and stores them (transport
 * 7.4). One that was sent in a relationship which we have left since is let go.
 */
export const messageReceived: Step<'MessageReceived'> = async (
	{ payload, services, messages, leftPeers },
	options,
) => {
	const { receipt } = services.messages;
	const message =
		messages.get(payload.id) ?? (await receipt.fetchIfShown(payload.id, leftPeers, options));
	if (message === undefined || receipt.isOver(message, leftPeers)) {
		return () => Promise.resolve({});
	}
	// A peer whose identity is to be deleted sends nothing: perhaps it is not any more.
	await reviewPlannedDeletions(services.relationships, [message.createdBy], options);
	const files = await receipt.loadAttachments(message, options);
	return async (tx) => {
		await receipt.receive(tx, message, files);
		return { messageId: message.id };
	};
};
