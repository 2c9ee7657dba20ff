import * as z from 'zod';

/** Failed tries of a piece of unfinished work; it is kept in the row of that work. */
export const retryStateSchema = z.object({
	/** failures since the work was last begun */
	attempts: z.number().int(),
	firstFailedAt: z.string(),
	/** earliest next try; absent when it is wanted at once */
	notBefore: z.string().optional(),
	lastFailure: z.object({ code: z.string(), message: z.string() }).optional(),
	/** it failed long enough to be listed among the problems, and an event has said so */
	isReported: z.literal(true).optional(),
});
export type RetryState = z.infer<typeof retryStateSchema>;

/** A change made here that the Backbone does not confirm. */
export const unfinishedChangeSchema = z.object({
	/** of the file, token, template, relationship, request or message */
	id: z.string(),
	/** for example `claimFile` or `acceptRelationship` */
	change: z.string(),
	since: z.string(),
	code: z.string(),
	message: z.string(),
});
