import {
	discardParked,
	parkedDeliveries,
	sendParkedAgain,
	type ParkedDelivery,
} from '../events/delivery/parked-deliveries';
import type { ProblemDto } from '../model/record/problem';
import type { ProblemSource } from './problem-source';

/** Events that a consumer did not accept. */
export const deliveryProblems: ProblemSource = {
	kind: 'delivery',
	list: async (tx) => (await parkedDeliveries(tx)).map(problemOf),
	count: async (tx) =>
		(await tx.consumers.list()).reduce((sum, { parked }) => sum + parked.length, 0),
	retry: async (tx, id) => await sendParkedAgain(tx, id),
	judge: () =>
		Promise.resolve({
			outcome: 'waiting',
			message: 'It is delivered again as soon as its consumer runs.',
		}),
	discard: discardParked,
};

function problemOf(delivery: ParkedDelivery): ProblemDto {
	const { id, consumer, eventId, event, createdAt, parkedAt, reason } = delivery;
	return {
		id,
		kind: 'delivery',
		subject: event,
		since: parkedAt,
		message: reason,
		isRetriedAutomatically: delivery.isSentAgain,
		isDiscardable: true,
		consumer,
		eventId,
		createdAt,
		isErased: delivery.isErased,
	};
}
