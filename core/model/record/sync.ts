import * as z from 'zod';
import { jsonObjectSchema } from '../json';
import { reconciliationStateSchema } from './reconciliation';
import { retryStateSchema } from './retry-state';

/** One external event of the Backbone, stored before its run is finalised (docs/adr/0007). */
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

/** What the event tells, whatever its id: the Backbone may tell it again under another one. */
export function subjectOf({ type, payload }: Pick<InboxEvent, 'type' | 'payload'>): string {
	return JSON.stringify([type, payload]);
}

/** Indexed where an event has failed and is not done, so that others pay nothing for it. */
export function failedSubjectOf(event: InboxEvent): string | undefined {
	return event.attempts > 0 && event.state !== 'done' ? subjectOf(event) : undefined;
}

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
	/** the newest message when own ones were last looked for that a restored backup does not know */
	ownMessagesCheckedTo: z.string().optional(),
	/** comparisons with the Backbone's lists; absent: none was planned yet */
	reconciliation: reconciliationStateSchema.optional(),
	/** failed tries to read the deletion processes of our identity, whose rows are shown as they are */
	retry: retryStateSchema.optional(),
});
export type SyncState = z.infer<typeof syncStateSchema>;

export const syncInfoDtoSchema = z.object({
	lastSyncRun: z.object({ completedAt: z.string() }).optional(),
});
export type SyncInfoDto = z.infer<typeof syncInfoDtoSchema>;

/** Whether the Backbone announces new events to this process. */
export const pushStatusDtoSchema = z.object({
	state: z.enum(['off', 'connecting', 'connected', 'unavailable', 'elsewhere']),
	/** since when it is so; absent for `off` and `elsewhere` */
	since: z.string().optional(),
	/** of the newest announcement that this process was sent */
	lastEventAt: z.string().optional(),
	/** what that means, and what to do */
	message: z.string(),
	/** why there is no connection */
	code: z.string().optional(),
});
export type PushStatusDto = z.infer<typeof pushStatusDtoSchema>;

export const syncStatusDtoSchema = syncInfoDtoSchema.extend({
	/** external events waiting for another try, and those given up after many */
	pendingEvents: z.number(),
	parkedEvents: z.array(externalEventFailureSchema),
	lastFailure: z.object({ code: z.string(), message: z.string(), at: z.string() }).optional(),
	/** why nothing is synced although nothing failed: the identity is to be deleted, or is gone */
	paused: z.object({ code: z.string(), message: z.string() }).optional(),
	/** whether a push connection to the Backbone is open in this process */
	pushConnected: z.boolean(),
	/** whether push works, since when, and why not */
	push: pushStatusDtoSchema,
	/** when everything was last compared with the lists of the Backbone */
	lastReconciliation: z.object({ completedAt: z.string() }).optional(),
	/** sends whose outcome is being found out */
	unresolvedSends: z.number(),
});
export type SyncStatusDto = z.infer<typeof syncStatusDtoSchema>;
