import * as z from 'zod';
import { jsonObjectSchema } from '../json';
import { openEnumSchema } from '../open-enum';
import { generationSchema } from './generation';
import { templateDtoSchema, templateRecordSchema, templateSecretsSchema } from './template';
import { retryStateSchema } from './retry-state';

export const relationshipStatuses = [
	'Pending',
	'Active',
	'Rejected',
	'Revoked',
	'Terminated',
	'DeletionProposed',
] as const;
const relationshipStatusSchema = openEnumSchema(relationshipStatuses);
export type RelationshipStatus = z.infer<typeof relationshipStatusSchema>;

export const auditReasons = [
	'Creation',
	'AcceptanceOfCreation',
	'RejectionOfCreation',
	'RevocationOfCreation',
	'Termination',
	'ReactivationRequested',
	'AcceptanceOfReactivation',
	'RejectionOfReactivation',
	'RevocationOfReactivation',
	'Decomposition',
	'DecompositionDueToIdentityDeletion',
] as const;

const auditLogEntrySchema = z.object({
	createdAt: z.string(),
	createdBy: z.string(),
	createdByDevice: z.string().optional(),
	reason: openEnumSchema(auditReasons),
	oldStatus: relationshipStatusSchema.optional(),
	newStatus: relationshipStatusSchema,
});
export type AuditLogEntry = z.infer<typeof auditLogEntrySchema>;

export const relationshipRecordSchema = z.object({
	id: z.string(),
	status: relationshipStatusSchema,
	peer: z.string(),
	/** base64url of the peer's 32 identity key bytes */
	peerPublicKey: z.string(),
	peerDeletionInfo: z
		.object({ deletionStatus: z.enum(['ToBeDeleted', 'Deleted']), deletionDate: z.string() })
		.optional(),
	/** true if this account sent the creation (requestor), false if the peer did (templator) */
	createdByUs: z.boolean(),
	templateId: z.string(),
	/**
	 * snapshot from the time the relationship was stored; never updated (docs/protocol/transport.md
	 * 16.1)
	 */
	template: templateRecordSchema,
	creationContent: jsonObjectSchema,
	auditLog: z.array(auditLogEntrySchema),
	createdAt: z.string(),
	/**
	 * Operation whose call to the Backbone was started and not confirmed: own operations cause no
	 * external event, so the next sync reads the relationship again and clears this.
	 */
	operation: z.string().optional(),
	/** failed attempts to find out the outcome of the operation */
	retry: retryStateSchema.optional(),
	/** generation of the peer's wallet, if known (docs/protocol/content.md 13.4) */
	peerGeneration: generationSchema.optional(),
});
export type RelationshipRecord = z.infer<typeof relationshipRecordSchema>;

/**
 * Secrets of a relationship. Key material is an opaque JSON object here; `core/crypto` defines its
 * form.
 */
export const relationshipSecretsSchema = z.object({
	/** secrets of the requestor before acceptance, else absent */
	request: jsonObjectSchema.optional(),
	/** both directions, once known */
	established: jsonObjectSchema.optional(),
	template: templateSecretsSchema.omit({ templatePrivateKey: true }),
});
export type RelationshipSecretsRecord = z.infer<typeof relationshipSecretsSchema>;

/**
 * Intent to create a relationship: the request secrets are stored before the Backbone is called,
 * because its answer, which contains the id, may be lost (docs/protocol/crypto-and-identity.md 11).
 * Each attempt has an intent of its own, so that no attempt overwrites the secrets of another.
 */
export const relationshipIntentRecordSchema = z.object({
	id: z.string(),
	templateId: z.string(),
	createdAt: z.string(),
	creationContent: jsonObjectSchema,
	/** time of the last check whether the request can still succeed */
	checkedAt: z.string().optional(),
	/**
	 * time since which the Backbone reports no pending relationship: the call failed, or the
	 * relationship has ended
	 */
	absentSince: z.string().optional(),
});
export type RelationshipIntentRecord = z.infer<typeof relationshipIntentRecordSchema>;

export const relationshipIntentSecretsSchema = z.object({ request: jsonObjectSchema });
export type RelationshipIntentSecrets = z.infer<typeof relationshipIntentSecretsSchema>;

/** @see docs/protocol/transport.md 16.1 */
export const relationshipDtoSchema = z.object({
	id: z.string(),
	template: templateDtoSchema,
	status: relationshipStatusSchema,
	peer: z.string(),
	peerIdentity: z.object({ address: z.string(), publicKey: z.string() }),
	peerDeletionInfo: relationshipRecordSchema.shape.peerDeletionInfo,
	creationContent: jsonObjectSchema,
	auditLog: z.array(auditLogEntrySchema),
});
export type RelationshipDto = z.infer<typeof relationshipDtoSchema>;

/** Peer with which this account has or had a relationship, and what is known about it. */
export const contactDtoSchema = z.object({
	address: z.string(),
	/** absent when the peer has shared no name */
	name: z.string().optional(),
	/** status of the current relationship */
	status: relationshipStatusSchema,
	/** when the current relationship became active, or else when it was created */
	since: z.string(),
	relationshipId: z.string(),
	templateId: z.string(),
	templateTitle: z.string().optional(),
	/** newest value of each type that the peer has shared about itself */
	attributes: jsonObjectSchema,
	/** newest value of each key in the relationship */
	relationshipAttributes: jsonObjectSchema,
	/** own values by type that the peer has */
	sharedAttributes: jsonObjectSchema,
});
export type ContactDto = z.infer<typeof contactDtoSchema>;
