import * as z from 'zod';
import type { JsonObject } from '../json';

/** One row of the outbox. `sequence` is gapless per account in commit order. */
export interface OutboxEvent {
	sequence: number;
	/** event name, for example `transport.messageReceived` */
	name: string;
	createdAt: string;
	/** the peer the event is about, when there is one */
	peer?: string | undefined;
	/** id of the object the event is about; erasing an object erases its events' data */
	subject?: string | undefined;
	/** of the request or the sync that it comes from */
	correlationId?: string | undefined;
	data: JsonObject;
}

/** An event that its consumer was given and did not take. */
export const parkedEventSchema = z.object({
	sequence: z.number().int(),
	reason: z.string(),
	parkedAt: z.string(),
	/** somebody asked for another try */
	again: z.literal(true).optional(),
});
export type ParkedEvent = z.infer<typeof parkedEventSchema>;

/** A named reader of the outbox: a trigger, a webhook, a broker. */
export const consumerRecordSchema = z.object({
	name: z.string(),
	/** sequence of the last acknowledged event */
	position: z.number().int(),
	/** the delivery under way, stored before it is handed over */
	attempt: z
		.object({
			/** first event of the delivery */
			sequence: z.number().int(),
			/** its last event: a repetition must not carry more than the receiver may have seen */
			lastSequence: z.number().int().optional(),
			number: z.number().int(),
			/** what the receiver's refusals of these events add up to */
			refusals: z.number().int().optional(),
		})
		.optional(),
	parked: z.array(parkedEventSchema),
	seenAt: z.string(),
	/** days on which the account was used without it since then, and when the last one was counted */
	absence: z.object({ days: z.number().int(), countedAt: z.string() }).optional(),
});
export type ConsumerRecord = z.infer<typeof consumerRecordSchema>;
