import type { ConsumerRecord, ParkedEvent } from '../model/record/event';
import type { ReadTransaction, WriteTransaction } from '../store/store';
import { eventIdOf, isErased, toGatewayEvent } from './event-types';
import { eventOf } from './parked-events';

/** An event that a consumer was given and did not take; nothing of it is lost until it is discarded. */
export interface ParkedDelivery {
	/** `<event id>@<consumer>` */
	readonly id: string;
	/** who did not take it: `webhook:…`, `broker:…`, a trigger */
	readonly consumer: string;
	readonly eventId: string;
	/** its name */
	readonly event: string;
	/** when it happened */
	readonly createdAt: string;
	readonly parkedAt: string;
	/** of the last try */
	readonly reason: string;
	/** another try was asked for and is still to come */
	readonly isSentAgain: boolean;
	/** its data was erased since: it can only be discarded */
	readonly isErased: boolean;
}

type Reader = Pick<ReadTransaction, 'consumers' | 'outbox'>;

type Writer = Pick<WriteTransaction, 'consumers'>;

/** What the consumers of the account have parked: by consumer, and of each the oldest first. */
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
 * Has the consumers try these once more, in this process or another one, as soon as they run and look.
 * What is taken is parked no longer; what fails stays parked with the new reason.
 *
 * @param ids those that are not parked, or no longer, are left out
 */
export async function sendParkedAgain(tx: Writer, ids: readonly string[]): Promise<void> {
	await change(tx, ids, (parked) => ({ ...parked, again: true }));
}

/**
 * Gives these up for good, also while they are tried.
 *
 * @param ids those that are not parked, or no longer, are left out
 */
export async function discardParked(tx: Writer, ids: readonly string[]): Promise<void> {
	await change(tx, ids, () => undefined);
}

async function change(
	tx: Writer,
	ids: readonly string[],
	changed: (parked: ParkedEvent) => ParkedEvent | undefined,
): Promise<void> {
	const wanted = new Set(ids);
	for (const consumer of await tx.consumers.list()) {
		const isWanted = (one: ParkedEvent): boolean => wanted.has(deliveryId(consumer, one));
		if (!consumer.parked.some(isWanted)) continue;
		const parked = consumer.parked
			.map((one) => (isWanted(one) ? changed(one) : one))
			.filter((one) => one !== undefined);
		await tx.consumers.put({ ...consumer, parked });
	}
}

async function describe(
	tx: Reader,
	consumer: ConsumerRecord,
	parked: ParkedEvent,
): Promise<ParkedDelivery | undefined> {
	const event = await eventOf(tx, parked.sequence);
	if (event === undefined) return undefined;
	const { id: eventId, createdAt } = toGatewayEvent(event);
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

/** Several consumers may have parked the same event. */
function deliveryId({ name }: ConsumerRecord, { sequence }: ParkedEvent): string {
	return `${eventIdOf(sequence)}@${name}`;
}
