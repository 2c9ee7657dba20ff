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
	/** true when we sent the creation (requestor), false when the peer did (templator) */
	createdByUs: z.boolean(),
	templateId: z.string(),
	/** snapshot taken when the relationship was stored; never updated (transport 16.1) */
	template: templateRecordSchema,
	creationContent: jsonObjectSchema,
	auditLog: z.array(auditLogEntrySchema),
	createdAt: z.string(),
	/**
	 * The operation whose Backbone call was begun and not yet seen to end: our own actions come with
	 * no external event, so the next sync reads the relationship again and clears this.
	 */
	operation: z.string().optional(),
	/** failed tries to find out how the operation ended */
	retry: retryStateSchema.optional(),
	/** of the peer's wallet, while something of it tells (content.md 13.4) */
	peerGeneration: generationSchema.optional(),
});
export type RelationshipRecord = z.infer<typeof relationshipRecordSchema>;

/** Key material is an opaque JSON object here; `core/crypto` owns its shape. */
export const relationshipSecretsSchema = z.object({
	/** requestor before acceptance, else absent */
	request: jsonObjectSchema.optional(),
	/** both directions, once known */
	established: jsonObjectSchema.optional(),
	template: templateSecretsSchema.omit({ templatePrivateKey: true }),
});
export type RelationshipSecretsRecord = z.infer<typeof relationshipSecretsSchema>;

/**
 * The intent to create a relationship: the request secrets are kept before the Backbone is called,
 * because its answer, which carries the id, may be lost (crypto-and-identity 11). Each attempt has its
 * own, so that none replaces what another one was sealed with.
 */
export const relationshipIntentRecordSchema = z.object({
	id: z.string(),
	templateId: z.string(),
	createdAt: z.string(),
	creationContent: jsonObjectSchema,
	/** when it was last asked whether anything can still come of it */
	checkedAt: z.string().optional(),
	/** since when the Backbone says that nothing of it is pending there: not taken, or ended meanwhile */
	absentSince: z.string().optional(),
});
export type RelationshipIntentRecord = z.infer<typeof relationshipIntentRecordSchema>;

export const relationshipIntentSecretsSchema = z.object({ request: jsonObjectSchema });
export type RelationshipIntentSecrets = z.infer<typeof relationshipIntentSecretsSchema>;

/** transport 16.1 */
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
