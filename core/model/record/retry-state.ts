import * as z from 'zod';

/** Failed attempts at a piece of unfinished work, stored in the row of that work. */
export const retryStateSchema = z.object({
	/** failures since the latest start of the work */
	attempts: z.number().int(),
	/** ISO time of the first failure */
	firstFailedAt: z.string(),
	/** earliest next attempt; absent for an immediate one */
	notBefore: z.string().optional(),
	/** latest failure */
	lastFailure: z
		.object({
			/** error code */
			code: z.string(),
			/** explanation */
			message: z.string(),
		})
		.optional(),
	/**
	 * set when the work has failed long enough to be listed as a problem and an event has reported it
	 */
	isReported: z.literal(true).optional(),
});
/** Failed attempts at unfinished work. */
export type RetryState = z.infer<typeof retryStateSchema>;

/** Change made here that the Backbone does not confirm. */
export const unfinishedChangeSchema = z.object({
	/** id of the file, token, template, relationship, request or message */
	id: z.string(),
	/** for example `claimFile` or `acceptRelationship` */
	change: z.string(),
	/** ISO time of the first failure */
	since: z.string(),
	/** error code of the latest failure */
	code: z.string(),
	/** reason of the latest failure */
	message: z.string(),
});
