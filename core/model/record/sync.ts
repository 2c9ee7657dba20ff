import * as z from 'zod';
import { jsonObjectSchema } from '../json';

/** One external event of the Backbone, stored before its run is finalised (design, decision 18). */
export const inboxEventSchema = z.object({
	/** SYI... */
	id: z.string(),
	runId: z.string(),
	type: z.string(),
	index: z.number().int(),
	createdAt: z.string(),
	payload: jsonObjectSchema,
	state: z.enum(['pending', 'done', 'parked']),
	attempts: z.number().int(),
	/** earliest next try */
	notBefore: z.string().optional(),
	lastFailure: z.object({ code: z.string(), message: z.string() }).optional(),
	/** marks of the peers that we have left while it waited: what they sent is of no use any more */
	leftPeers: z.array(z.string()).optional(),
});
export type InboxEvent = z.infer<typeof inboxEventSchema>;

/** Why an external event could not be applied: codes and texts of ours, nothing that a peer wrote. */
export const externalEventFailureSchema = z.object({
	eventId: z.string(),
	type: z.string(),
	code: z.string(),
	message: z.string(),
});
export type ExternalEventFailure = z.infer<typeof externalEventFailureSchema>;

/** The progress of the sync run whose events are on their way into the inbox. */
export const syncStateSchema = z.object({
	id: z.literal('sync'),
	phase: z.enum(['idle', 'fetching', 'finalizing']),
	runId: z.string().optional(),
	/** set when events may have been lost; cleared by a reconciliation with the Backbone's lists */
	reconciliationNeeded: z.boolean(),
	lastCompletedAt: z.string().optional(),
});
export type SyncState = z.infer<typeof syncStateSchema>;

export const syncInfoDtoSchema = z.object({
	lastSyncRun: z.object({ completedAt: z.string() }).optional(),
});
export type SyncInfoDto = z.infer<typeof syncInfoDtoSchema>;
