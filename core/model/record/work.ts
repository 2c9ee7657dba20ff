import * as z from 'zod';

/** Kinds of work that this account finishes by itself, each with a source in `core/problems`. */
export const workKinds = [
	'claimFile',
	'regenerateFileToken',
	'deleteFile',
	'deleteToken',
	'deleteTemplate',
	'acceptRelationship',
	'rejectRelationship',
	'revokeRelationship',
	'terminateRelationship',
	'requestReactivationRelationship',
	'acceptReactivationRelationship',
	'rejectReactivationRelationship',
	'revokeReactivationRelationship',
	'decomposeRelationship',
	'createRelationship',
	'decideRequest',
	'acceptRequest',
	'rejectRequest',
	'sendMessage',
	'deleteIdentity',
] as const;
export type WorkKind = (typeof workKinds)[number];

/**
 * Unfinished work, committed before the first call to the Backbone and removed with its outcome
 * (docs/adr/0040). What the work is about stays in the record of its noun.
 */
export const workRecordSchema = z.object({
	/** id of the object that the work is about, which allows one kind of work at a time */
	id: z.string(),
	kind: z.enum(workKinds),
	/** `parked` work waits for a person */
	state: z.enum(['waiting', 'parked']),
	/** time of the latest beginning */
	since: z.string(),
	/** earliest next attempt; empty for an immediate one */
	dueAt: z.string(),
	/** failures since the work was opened */
	attempts: z.number().int(),
	/** latest failure; `since` is the time of the first one */
	failure: z.object({ since: z.string(), code: z.string(), message: z.string() }).optional(),
	/**
	 * set when the work has failed long enough to be listed as a problem and an event has reported it
	 */
	isReported: z.literal(true).optional(),
	/** set when a person wants another attempt at once */
	isWanted: z.literal(true).optional(),
	/**
	 * process that tries the work, in the notation of leases, and the end of its right by the store's
	 * clock
	 */
	claim: z.object({ by: z.string(), until: z.string() }).optional(),
});
export type WorkRecord = z.infer<typeof workRecordSchema>;

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
