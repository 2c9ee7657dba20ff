import * as z from 'zod';
import type { ConsumerRecord, ParkedEvent } from '../../model/record/event';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import { eventIdOf, isErased, toEvent } from '../event-types';
import { eventOf } from '../parked-events';

export const parkedDeliverySchema = z.object({
	/** `<event id>@<consumer>` */
	id: z.string(),
	/** consumer that did not accept it: `webhook:…`, `broker:…`, a trigger */
	consumer: z.string(),
	/** id of the event */
	eventId: z.string(),
	/** name of the event */
	event: z.string(),
	/** time of the event */
	createdAt: z.string(),
	/** ISO time since which it waits for a person */
	parkedAt: z.string(),
	/** reason of the latest attempt */
	reason: z.string(),
	/** true if another attempt was requested and has not run yet */
	isSentAgain: z.boolean(),
	/** true if its data was erased since, so that it can only be discarded */
	isErased: z.boolean(),
});
/** Event that a consumer did not accept; it is kept until it is discarded. */
export type ParkedDelivery = z.infer<typeof parkedDeliverySchema>;

type Reader = Pick<ReadTransaction, 'consumers' | 'outbox'>;

type Writer = Pick<WriteTransaction, 'consumers'>;

/** Parked events of all consumers of the account, grouped by consumer, oldest first. */
export async function parkedDeliveries(tx: Reader): Promise<ParkedDelivery[]> {
	const found: ParkedDelivery[] = [];
	for (const consumer of await tx.consumers.list()) {
		for (const parked of consumer.parked) {
			const delivery = await describe(tx, consumer, parked);
			if (delivery !== undefined) found.push(delivery);
		}
	}
	return found;
}

/**
 * Requests another attempt by the consumer, in this or another process, as soon as it runs. An
 * accepted event is removed from the list; a failed one stays parked with the new reason.
 *
 * @returns false if the delivery is no longer parked
 */
export async function sendParkedAgain(tx: Writer, id: string): Promise<boolean> {
	return await change(tx, id, (parked) => ({ ...parked, again: true }));
}

/** Discards a parked delivery permanently, even during an attempt. */
export async function discardParked(tx: Writer, id: string): Promise<boolean> {
	return await change(tx, id, () => undefined);
}

async function change(
	tx: Writer,
	id: string,
	changed: (parked: ParkedEvent) => ParkedEvent | undefined,
): Promise<boolean> {
	for (const consumer of await tx.consumers.list()) {
		const isWanted = (one: ParkedEvent): boolean => deliveryId(consumer, one) === id;
		if (!consumer.parked.some(isWanted)) continue;
		const parked = consumer.parked
			.map((one) => (isWanted(one) ? changed(one) : one))
			.filter((one) => one !== undefined);
		await tx.consumers.put({ ...consumer, parked });
		return true;
	}
	return false;
}

async function describe(
	tx: Reader,
	consumer: ConsumerRecord,
	parked: ParkedEvent,
): Promise<ParkedDelivery | undefined> {
	const event = await eventOf(tx, parked.sequence);
	if (event === undefined) return undefined;
	const { id: eventId, createdAt } = toEvent(event);
	return {
		id: deliveryId(consumer, parked),
		consumer: consumer.name,
		eventId,
		event: event.name,
		createdAt,
		parkedAt: parked.parkedAt,
		reason: parked.reason,
		isSentAgain: parked.again === true,
		isErased: isErased(event),
	};
}

/** Id of a delivery; the consumer is part of it, because several may have parked the same event. */
function deliveryId({ name }: ConsumerRecord, { sequence }: ParkedEvent): string {
	return `${eventIdOf(sequence)}@${name}`;
}
