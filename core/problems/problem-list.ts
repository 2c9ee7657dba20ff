import { messageErrors } from '../domain/message/message-errors';
import type { ParkedDeliveryDto } from '../events/parked-deliveries';
import type { SendIntentRecord } from '../model/record/message';
import type { ProblemDto } from '../model/record/problem';
import type { InboxEvent } from '../model/record/sync';

/* Each kind of problem in the words that all of them share. */

export function eventProblem(event: InboxEvent): ProblemDto {
	const { id, type, createdAt, lastFailure, state, notBefore } = event;
	const isRetriedAutomatically = state === 'pending';
	return {
		id,
		kind: 'receivedEvent',
		subject: type,
		since: createdAt,
		...(lastFailure === undefined ? {} : { code: lastFailure.code }),
		message: lastFailure?.message ?? 'It was not applied yet.',
		isRetriedAutomatically,
		...(isRetriedAutomatically && notBefore !== undefined ? { nextTryAt: notBefore } : {}),
	};
}

export function deliveryProblem(delivery: ParkedDeliveryDto): ProblemDto {
	const { consumer, event, parkedAt, reason, isSentAgain } = delivery;
	return {
		id: deliveryId(delivery),
		kind: 'delivery',
		subject: event,
		since: parkedAt,
		message: reason,
		isRetriedAutomatically: isSentAgain,
		consumer,
	};
}

/** Several consumers may have parked the same event. */
export function deliveryId({ eventId, consumer }: ParkedDeliveryDto): string {
	return `${eventId}@${consumer}`;
}

export function sendingProblem(intent: SendIntentRecord): ProblemDto {
	const { id, content, createdAt, recipients, again, mustArrive } = intent;
	const type = content['@type'];
	return {
		id,
		kind: 'sending',
		subject: typeof type === 'string' ? type : 'Message',
		since: createdAt,
		code: messageErrors.outcomeUnknown.code,
		message: 'Whether the Backbone took the message is not known.',
		isRetriedAutomatically: again === true || mustArrive === true,
		recipients: recipients.map(({ address }) => address),
	};
}
