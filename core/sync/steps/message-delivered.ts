import type { Step } from './index';

/** A recipient has fetched a message of ours: its delivery status is read again (transport 7.5). */
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
