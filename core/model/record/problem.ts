import * as z from 'zod';

/** The DTO describes the kinds. */
const problemKindSchema = z.enum([
	'receivedEvent',
	'delivery',
	'sending',
	'unfinishedChange',
	'wait',
]);
/** Kind of a problem. */
export type ProblemKind = z.infer<typeof problemKindSchema>;

/** Problem that waits for a person or for another attempt. */
export const problemDtoSchema = z.object({
	/** identifies the problem for another attempt */
	id: z.string(),
	/**
	 * `receivedEvent`: an external event of the Backbone could not be applied; `delivery`: a trigger,
	 * webhook or broker did not accept an event; `sending`: it is unknown whether the Backbone
	 * accepted a message; `unfinishedChange`: the Backbone does not confirm a change made here;
	 * `wait`: n8n does not continue an execution whose answer has arrived
	 */
	kind: problemKindSchema,
	/**
	 * type of the external event, name of the event, type of the message, the change, or what the
	 * execution waited for
	 */
	subject: z.string(),
	/** ISO time of the first failure */
	since: z.string(),
	/** error code of the latest failure; absent if the receiver gave none */
	code: z.string().optional(),
	/** reason, in words of this gateway or of the receiver that refused */
	message: z.string(),
	/** true if the gateway retries without being asked */
	isRetriedAutomatically: z.boolean(),
	/** ISO time of the next automatic attempt; absent if none is planned */
	nextTryAt: z.string().optional(),
	/**
	 * whether the problem can be discarded: false for an external event while it is retried
	 * automatically, for a message that belongs to a committed change, and for a change whose loss
	 * would do harm
	 */
	isDiscardable: z.boolean(),
	/**
	 * set for a delivery: the consumer that did not accept it, `webhook:…`, `broker:…` or a trigger
	 */
	consumer: z.string().optional(),
	/** set for a delivery: id of the event */
	eventId: z.string().optional(),
	/** set for a delivery: time of the event */
	createdAt: z.string().optional(),
	/** set for a delivery: the data of the event was erased since, so it can only be discarded */
	isErased: z.boolean().optional(),
	/** set for a message: its recipients */
	recipients: z.array(z.string()).optional(),
});
/** Failure that waits for a person or for another attempt. */
export type ProblemDto = z.infer<typeof problemDtoSchema>;

/** Filter of problems: all given conditions have to hold. */
export const problemFilterSchema = z.strictObject({
	kind: problemDtoSchema.shape.kind.optional(),
	/** selects deliveries of that consumer */
	consumer: z.string().optional(),
	/** ids of problems */
	ids: z.array(z.string()).optional(),
});
/** Which problems are listed. */
export type ListProblemsInput = z.input<typeof problemFilterSchema>;
export type ProblemFilter = z.infer<typeof problemFilterSchema>;

/** Selection of problems: listed ids, or explicitly all, of a kind or of a consumer. */
export const problemChoiceSchema = z
	.strictObject({
		/** ids of problems */
		ids: z.array(z.string()).min(1).optional(),
		/** selects all problems, of a kind or of a consumer */
		all: z.literal(true).optional(),
		/** with `all`: only problems of this kind */
		kind: problemFilterSchema.shape.kind,
		consumer: problemFilterSchema.shape.consumer,
	})
	.refine(({ ids, all }) => (ids === undefined) !== (all === undefined), {
		message: "'ids' or 'all' is needed, and not both",
	})
	.refine(({ ids, kind, consumer }) => !(ids && (kind ?? consumer) !== undefined), {
		message: "'kind' and 'consumer' go with 'all'",
	});
/** Problems to retry or discard: by ids, or explicitly all. */
export type ChooseProblemsInput = z.input<typeof problemChoiceSchema>;

/** Result of another attempt. */
export const retriedProblemDtoSchema = z.object({
	/** id of the problem, as {@link ProblemUseCases.list} returned it */
	id: z.string(),
	kind: problemDtoSchema.shape.kind,
	/** `waiting`: the attempt is still to come, or its outcome is unknown yet */
	outcome: z.enum(['solved', 'waiting', 'failed']),
	/** error code of the new failure; absent unless it failed */
	code: z.string().optional(),
	/** reason of the new failure; absent unless it failed */
	message: z.string().optional(),
});
/** Result of another attempt at a problem. */
export type RetriedProblemDto = z.infer<typeof retriedProblemDtoSchema>;

/** Discarded problem, as last listed. */
export const discardedProblemDtoSchema = problemDtoSchema.extend({
	/**
	 * `waiting`: a message; syncs look for it at the Backbone, and give it up ten minutes after its
	 * last attempt
	 */
	outcome: z.enum(['discarded', 'waiting']),
});
/** Problem that was discarded, with what became of it. */
export type DiscardedProblemDto = z.infer<typeof discardedProblemDtoSchema>;
