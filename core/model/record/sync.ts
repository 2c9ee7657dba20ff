import * as z from 'zod';
import { jsonObjectSchema } from '../json';
import type { ProblemKind } from './problem';
import { reconciliationStateSchema } from './reconciliation';

/** External event of the Backbone, stored before its sync run is finalised (docs/adr/0007). */
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
	/** earliest next attempt */
	notBefore: z.string().optional(),
	lastFailure: z.object({ code: z.string(), message: z.string() }).optional(),
	/**
	 * hashed addresses of peers that were decomposed while the event waited: it is no longer
	 * processed for them
	 */
	leftPeers: z.array(z.string()).optional(),
});
export type InboxEvent = z.infer<typeof inboxEventSchema>;

/**
 * Subject of an external event, independent of its id: the Backbone may repeat the event under
 * another id.
 */
export function subjectOf({ type, payload }: Pick<InboxEvent, 'type' | 'payload'>): string {
	return JSON.stringify([type, payload]);
}

/**
 * Subject of a failed event that is not done; indexed for these events only, so that others cost
 * nothing.
 */
export function failedSubjectOf(event: InboxEvent): string | undefined {
	return event.attempts > 0 && event.state !== 'done' ? subjectOf(event) : undefined;
}

/**
 * Reason for which an external event could not be applied: codes and texts of this gateway, nothing
 * that a peer wrote.
 */
export const externalEventFailureSchema = z.object({
	/** id of the external event at the Backbone */
	eventId: z.string(),
	/** type of the external event, for example `MessageReceived` */
	type: z.string(),
	/** error code of the latest attempt */
	code: z.string(),
	/** reason of the latest failure */
	message: z.string(),
});
/** External event that could not be applied. */
export type ExternalEventFailure = z.infer<typeof externalEventFailureSchema>;

/** Progress of the sync run whose events are being stored in the inbox. */
export const syncStateSchema = z.object({
	id: z.literal('sync'),
	phase: z.enum(['idle', 'fetching', 'finalizing']),
	runId: z.string().optional(),
	/** set if events may have been lost; cleared by a reconciliation with the Backbone's lists */
	reconciliationNeeded: z.boolean(),
	lastCompletedAt: z.string().optional(),
	/**
	 * newest message at the time of the latest search for own messages that a restored backup does
	 * not contain
	 */
	ownMessagesCheckedTo: z.string().optional(),
	/**
	 * set once the Backbone had messages of this account that the store did not know: a restored
	 * backup has also lost requests that are answered later
	 */
	hasLostMessages: z.literal(true).optional(),
	/** reconciliations with the Backbone's lists; absent before the first one is planned */
	reconciliation: reconciliationStateSchema.optional(),
});
export type SyncState = z.infer<typeof syncStateSchema>;

export const syncInfoDtoSchema = z.object({
	/** latest complete sync; absent before the first one */
	lastSyncRun: z
		.object({
			/** ISO time */
			completedAt: z.string(),
		})
		.optional(),
});
/** Time of the latest sync. */
export type SyncInfoDto = z.infer<typeof syncInfoDtoSchema>;

/** State of push: whether push signals of new events reach this process. */
export const pushStatusDtoSchema = z.object({
	/**
	 * `off`: not wanted; `elsewhere`: another process has the connection; `unavailable`: it
	 * failed and is tried again
	 */
	state: z.enum(['off', 'connecting', 'connected', 'unavailable', 'elsewhere']),
	/** time of the latest change; absent for `off` and `elsewhere` */
	since: z.string().optional(),
	/** time of the latest signal that reached this process */
	lastEventAt: z.string().optional(),
	/** explanation of the state, and advice */
	message: z.string(),
	/** code of the error without connection */
	code: z.string().optional(),
});
/** State of the push connection. */
export type PushStatusDto = z.infer<typeof pushStatusDtoSchema>;

export const consumerStatusDtoSchema = z.object({
	/** name of the trigger, webhook or broker */
	name: z.string(),
	/** true if it runs in this process */
	isRunning: z.boolean(),
	/** number of the event up to which it has settled all events */
	position: z.number(),
	/**
	 * events that it has not settled yet. While it does not run in this process, events that it would
	 * leave out are counted, too
	 */
	waitingEvents: z.number(),
	/** ISO time of the oldest of them */
	waitingSince: z.string().optional(),
	/** events that it has refused, which wait for a person */
	parkedEvents: z.number(),
});
/** Consumer of events, and what waits for it. */
export type ConsumerStatusDto = z.infer<typeof consumerStatusDtoSchema>;

export const syncStatusDtoSchema = syncInfoDtoSchema.extend({
	/** external events that wait for another attempt, and events given up after many attempts */
	pendingEvents: z.number(),
	/** external events that failed too often and wait for a person */
	parkedEvents: z.array(externalEventFailureSchema),
	/** latest failure of a sync; absent since a sync succeeded */
	lastFailure: z
		.object({
			/** error code */
			code: z.string(),
			/** reason */
			message: z.string(),
			/** ISO time */
			at: z.string(),
		})
		.optional(),
	/**
	 * reason for which sync is paused without a failure: the identity is being deleted, or is deleted
	 */
	paused: z
		.object({
			/** code of the reason */
			code: z.string(),
			/** reason, and what ends the pause */
			message: z.string(),
		})
		.optional(),
	/** true if this process has an open push connection to the Backbone */
	pushConnected: z.boolean(),
	/** state of push, its time, and its error */
	push: pushStatusDtoSchema,
	/** latest complete comparison with the Backbone's lists */
	lastReconciliation: z
		.object({
			/** ISO time */
			completedAt: z.string(),
		})
		.optional(),
	/** number of messages whose outcome is unknown yet */
	unresolvedSends: z.number(),
	/** triggers, webhooks and brokers, with the events that wait for each */
	consumers: z.array(consumerStatusDtoSchema),
	/** number of problems by kind, as Get Problems lists them */
	problemCounts: z.object({
		/** external events that could not be applied */
		receivedEvent: z.number(),
		/** events that a consumer did not accept */
		delivery: z.number(),
		/** messages with unknown outcome */
		sending: z.number(),
		/** changes that the Backbone does not confirm */
		unfinishedChange: z.number(),
		/** executions of n8n that are not continued */
		wait: z.number(),
	} satisfies Record<ProblemKind, z.ZodNumber>),
});
/** What has been synced, what waits, and what failed. */
export type SyncStatusDto = z.infer<typeof syncStatusDtoSchema>;
