import * as z from 'zod';

/** Something that waits for a person, or at least for another try. */
export const problemDtoSchema = z.object({
	/** names it when it is to be tried again */
	id: z.string(),
	/**
	 * `receivedEvent`: what the Backbone told could not be applied; `delivery`: a trigger, webhook or
	 * broker did not take an event; `sending`: nobody knows whether the Backbone took a message;
	 * `unfinishedChange`: a change made here that the Backbone does not confirm
	 */
	kind: z.enum(['receivedEvent', 'delivery', 'sending', 'unfinishedChange']),
	/** the external event's type, the event's name, the type of the message, or the change */
	subject: z.string(),
	since: z.string(),
	code: z.string().optional(),
	/** why, in words of ours or of whoever did not take it */
	message: z.string(),
	/** whether another try comes without anybody asking for it */
	isRetriedAutomatically: z.boolean(),
	nextTryAt: z.string().optional(),
	/**
	 * whether it can be given up: not what the Backbone told while it is tried by itself, no message
	 * that belongs to a change which is made already, and no change whose loss would harm
	 */
	isDiscardable: z.boolean(),
	/** of a delivery: who did not take it, `webhook:…`, `broker:…` or a trigger */
	consumer: z.string().optional(),
	/** of a delivery: the event */
	eventId: z.string().optional(),
	/** of a delivery: when the event happened */
	createdAt: z.string().optional(),
	/** of a delivery: the data of the event was erased since, so it can only be discarded */
	isErased: z.boolean().optional(),
	/** of a message: for whom it is */
	recipients: z.array(z.string()).optional(),
});
export type ProblemDto = z.infer<typeof problemDtoSchema>;

/** Which problems are listed: all conditions that are given have to hold. */
export const problemFilterSchema = z.strictObject({
	kind: problemDtoSchema.shape.kind.optional(),
	/** of deliveries */
	consumer: z.string().optional(),
	ids: z.array(z.string()).optional(),
});
export type ProblemFilter = z.infer<typeof problemFilterSchema>;

/** Which problems something is done with: named ones, or explicitly all, of a kind or a consumer. */
export const problemChoiceSchema = z
	.strictObject({
		ids: z.array(z.string()).min(1).optional(),
		all: z.literal(true).optional(),
		kind: problemFilterSchema.shape.kind,
		consumer: problemFilterSchema.shape.consumer,
	})
	.refine(({ ids, all }) => (ids === undefined) !== (all === undefined), {
		message: "'ids' or 'all' is needed, and not both",
	})
	.refine(({ ids, kind, consumer }) => !(ids && (kind ?? consumer) !== undefined), {
		message: "'kind' and 'consumer' go with 'all'",
	});
export type ProblemChoice = z.infer<typeof problemChoiceSchema>;

/** How another try has ended. */
export const retriedProblemDtoSchema = z.object({
	id: z.string(),
	kind: problemDtoSchema.shape.kind,
	/** `waiting`: the try is still to come, or its outcome to be found out */
	outcome: z.enum(['solved', 'waiting', 'failed']),
	code: z.string().optional(),
	message: z.string().optional(),
});
export type RetriedProblemDto = z.infer<typeof retriedProblemDtoSchema>;

/** What was given up, as it was listed last. */
export const discardedProblemDtoSchema = problemDtoSchema.extend({
	/** `waiting`: a message; syncs look for it at the Backbone, and give it up ten minutes after its last try */
	outcome: z.enum(['discarded', 'waiting']),
});
export type DiscardedProblemDto = z.infer<typeof discardedProblemDtoSchema>;
