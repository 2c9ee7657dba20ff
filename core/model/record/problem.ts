import * as z from 'zod';

/** Something that waits for a person, or at least for another try. */
export const problemDtoSchema = z.object({
	/** names it when it is to be tried again */
	id: z.string(),
	/**
	 * `receivedEvent`: what the Backbone told could not be applied; `delivery`: a trigger, webhook or
	 * broker did not take an event; `sending`: nobody knows whether the Backbone took a message
	 */
	kind: z.enum(['receivedEvent', 'delivery', 'sending']),
	/** the external event's type, the event's name, or the type of the message */
	subject: z.string(),
	since: z.string(),
	code: z.string().optional(),
	/** why, in words of ours or of whoever did not take it */
	message: z.string(),
	/** whether another try comes without anybody asking for it */
	isRetriedAutomatically: z.boolean(),
	nextTryAt: z.string().optional(),
	/** of a delivery: who did not take it */
	consumer: z.string().optional(),
	/** of a message: for whom it is */
	recipients: z.array(z.string()).optional(),
});
export type ProblemDto = z.infer<typeof problemDtoSchema>;

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
