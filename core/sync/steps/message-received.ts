import type { Step } from './index';

/** Fetches the message unless it came with the batch, and its files; opens and stores them (transport 7.4). */
export const messageReceived: Step<'MessageReceived'> = async (
	{ payload, services, messages },
	options,
) => {
	const message =
		messages.get(payload.id) ?? (await services.messages.receipt.fetch(payload.id, options));
	const files = await services.messages.receipt.loadAttachments(message, options);
	return async (tx) => {
		await services.messages.receipt.receive(tx, message, files);
		return { messageId: message.id };
	};
};
