import type { Step } from './index';

/** Fetches the message unless it came with the batch, opens and stores it (transport 7.4). */
export const messageReceived: Step<'MessageReceived'> = async (
	{ payload, services, messages },
	options,
) => {
	const message = messages.get(payload.id) ?? (await services.messages.fetch(payload.id, options));
	return async (tx) => {
		await services.messages.receive(tx, message);
		return { messageId: message.id };
	};
};
