import * as z from 'zod';
import type { JsonObject } from '../json';

/** Row of the outbox. `sequence` is gapless per account, in commit order. */
export interface OutboxEvent {
	sequence: number;
	/** event name, for example `transport.messageReceived` */
	name: string;
	createdAt: string;
	/** peer concerned by the event, if there is one */
	peer?: string | undefined;
	/** id of the object concerned; erasing the object erases the data of its events */
	subject?: string | undefined;
	/** correlation id of the request or sync that caused the event */
	correlationId?: string | undefined;
	data: JsonObject;
}

/** Event that its consumer did not accept. */
export const parkedEventSchema = z.object({
	sequence: z.number().int(),
	reason: z.string(),
	parkedAt: z.string(),
	/** set when a person requests another attempt */
	again: z.literal(true).optional(),
});
export type ParkedEvent = z.infer<typeof parkedEventSchema>;

/** Delivery in progress, stored before it is handed over. */
const attemptSchema = z.object({
	/** sequence number of the first event of the delivery */
	sequence: z.number().int(),
	/**
	 * sequence numbers of all its events: a repetition must not contain more than the receiver may
	 * have seen
	 */
	events: z.array(z.number().int()),
	number: z.number().int(),
	/** number of refusals of these events by the receiver */
	refusals: z.number().int(),
});

/** Named reader of the outbox: a trigger, a webhook, a broker. */
export const consumerRecordSchema = z.object({
	name: z.string(),
	/** sequence number up to which all events are settled */
	position: z.number().int(),
	/** settled events after the position, as ranges of sequence numbers */
	settled: z.array(z.tuple([z.number().int(), z.number().int()])).optional(),
	attempts: z.array(attemptSchema).optional(),
	parked: z.array(parkedEventSchema),
	/** time of the latest accepted delivery */
	acceptedAt: z.string().optional(),
	/** latest delivery that was not accepted */
	failure: z.object({ at: z.string(), reason: z.string() }).optional(),
	seenAt: z.string(),
	/** days on which the account ran without this consumer, and the last day counted */
	absence: z.object({ days: z.number().int(), countedAt: z.string() }).optional(),
});
export type ConsumerRecord = z.infer<typeof consumerRecordSchema>;
export type DeliveryAttempt = z.infer<typeof attemptSchema>;
