import * as z from 'zod';

/** Failed attempts at a piece of unfinished work, stored in the row of that work. */
export const retryStateSchema = z.object({
	/** failures since the latest start of the work */
	attempts: z.number().int(),
	firstFailedAt: z.string(),
	/** earliest next attempt; absent for an immediate one */
	notBefore: z.string().optional(),
	lastFailure: z.object({ code: z.string(), message: z.string() }).optional(),
	/**
	 * set when the work has failed long enough to be listed as a problem and an event has reported it
	 */
	isReported: z.literal(true).optional(),
});
export type RetryState = z.infer<typeof retryStateSchema>;

/** Change made here that the Backbone does not confirm. */
export const unfinishedChangeSchema = z.object({
	/** id of the file, token, template, relationship, request or message */
	id: z.string(),
	/** for example `claimFile` or `acceptRelationship` */
	change: z.string(),
	since: z.string(),
	code: z.string(),
	message: z.string(),
});
