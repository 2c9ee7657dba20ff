import { isGatewayError, type GatewayError } from '../../base/errors';
import type { SendIntentRecord } from '../../model/record/message';
import { isTemporary } from '../unfinished/outcome';
import { messageErrors } from './message-errors';

export function outcomeUnknown(intent: SendIntentRecord, cause?: unknown): GatewayError {
	const reason = isGatewayError(cause) ? ` (${cause.code}: ${cause.message})` : '';
	return messageErrors.create('outcomeUnknown', {
		message: `The Backbone did not confirm the message${reason}.`,
		facts: { intentId: intent.id },
		...(cause === undefined ? {} : { cause }),
	});
}

export function unknownMessage(id: string): GatewayError {
	return messageErrors.create('notFound', {
		message: `There is no message with the ID '${id}' in this account.`,
		facts: { messageId: id },
	});
}

const fullInbox = 'error.platform.validation.message.maxNumberOfUnreceivedMessagesReached';

/**
 * True when the Backbone may accept the same message later: it gave no verdict, or an inbox is
 * full.
 */
export function isAcceptedLater(error: GatewayError): boolean {
	return isTemporary(error) || error.code === fullInbox;
}
