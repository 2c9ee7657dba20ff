import * as z from 'zod';
import type { CreationContent } from '../content/creation-content';
import { jsonObjectSchema, jsonSchema, objectOf, type UnknownContent } from '../json';
import { openEnumSchema } from '../open-enum';
import { peerVersionSchema } from '../peer-version';
import { templateDtoSchema, templateRecordSchema, templateSecretsSchema } from './template';

export const relationshipStatuses = [
	'Pending',
	'Active',
	'Rejected',
	'Revoked',
	'Terminated',
	'DeletionProposed',
] as const;
const relationshipStatusSchema = openEnumSchema(relationshipStatuses);
/** Status of a relationship; a newer Backbone may report others. */
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
	/** ISO time of the change */
	createdAt: z.string(),
	/** address of the side that made the change */
	createdBy: z.string(),
	/** id of the device that made the change; absent if it is not known */
	createdByDevice: z.string().optional(),
	/** what was done, for example `AcceptanceOfCreation` */
	reason: openEnumSchema(auditReasons),
	/** status before; absent for the creation */
	oldStatus: relationshipStatusSchema.optional(),
	/** status after */
	newStatus: relationshipStatusSchema,
});
/** Change of a relationship. */
export type AuditLogEntry = z.infer<typeof auditLogEntrySchema>;

const peerDeletionInfoSchema = z.object({
	/** `ToBeDeleted` during the grace period, in which the peer can still cancel */
	deletionStatus: z.enum(['ToBeDeleted', 'Deleted']),
	/** ISO time of the deletion, planned or done */
	deletionDate: z.string(),
});

export const relationshipRecordSchema = z.object({
	id: z.string(),
	status: relationshipStatusSchema,
	peer: z.string(),
	/** base64url of the peer's 32 identity key bytes */
	peerPublicKey: z.string(),
	peerDeletionInfo: peerDeletionInfoSchema.optional(),
	/** true if this account sent the creation (requestor), false if the peer did (templator) */
	createdByUs: z.boolean(),
	templateId: z.string(),
	/**
	 * snapshot from the time the relationship was stored; never updated (docs/protocol/transport.md
	 * 16.1)
	 */
	template: templateRecordSchema,
	creationContent: objectOf<CreationContent | UnknownContent>(),
	auditLog: z.array(auditLogEntrySchema),
	createdAt: z.string(),
	/** version of the peer's wallet, if known (docs/protocol/content.md 13.4) */
	peerVersion: peerVersionSchema.optional(),
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
	creationContent: objectOf<CreationContent>(),
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
	/** `REL` id */
	id: z.string(),
	/** template from which it was created, as it was then; not updated later */
	template: templateDtoSchema,
	/** purpose of that template; absent if it has none */
	purpose: z.string().optional(),
	/** current status */
	status: relationshipStatusSchema,
	/** address of the other side */
	peer: z.string(),
	/** identity of the other side */
	peerIdentity: z.object({
		/** same as `peer` */
		address: z.string(),
		/** base64url of the JSON form of the key with which the peer signs */
		publicKey: z.string(),
	}),
	/** set when the peer deletes its identity; absent otherwise */
	peerDeletionInfo: peerDeletionInfoSchema.optional(),
	/**
	 * JSON with `@type` that came with the request for the relationship, mostly the answers to
	 * the template
	 */
	creationContent: objectOf<CreationContent>(),
	/** all changes, oldest first */
	auditLog: z.array(auditLogEntrySchema),
});
/** Relationship with a peer. */
export type RelationshipDto = z.infer<typeof relationshipDtoSchema>;

/** Peer with which this account has or had a relationship, and what is known about it. */
export const contactDtoSchema = z.object({
	/** address of the peer */
	address: z.string(),
	/** absent when the peer has shared no name */
	name: z.string().optional(),
	/** status of the current relationship */
	status: relationshipStatusSchema,
	/** when the current relationship became active, or else when it was created */
	since: z.string(),
	/**
	 * version of the wallet: 6, or the earliest release of version 7 that it can have; absent while
	 * nothing that the peer has written shows it
	 */
	walletVersion: peerVersionSchema.optional(),
	/** id of the current relationship */
	relationshipId: z.string(),
	/** id of the template from which the current relationship was created */
	templateId: z.string(),
	/** title of that template; absent if it has none */
	templateTitle: z.string().optional(),
	/** purpose of that template; absent if it has none */
	purpose: z.string().optional(),
	/** newest value of each type that the peer has shared about itself */
	attributes: jsonObjectSchema,
	/** newest value of each key in the relationship */
	relationshipAttributes: jsonObjectSchema,
	/** own values by type that the peer has */
	sharedAttributes: jsonObjectSchema,
});
/** Peer with what it has shared. */
export type ContactDto = z.infer<typeof contactDtoSchema>;

/** Contact that fits a search. */
export const foundContactDtoSchema = contactDtoSchema.extend({
	/** number of people who fit, in this answer or not */
	peopleFound: z.int(),
	/** values of this person that fit, newest first */
	found: z.array(
		z.object({
			/** type of an identity attribute, or key of a relationship attribute */
			name: z.string(),
			/** text of a simple value, otherwise the object */
			value: jsonSchema,
			/** `own`: this account; `peer`: the person, which proves nothing */
			owner: z.enum(['own', 'peer']),
			/** when this account got or set the value */
			since: z.string(),
			/** own template that asked for the value or set it; absent if it came otherwise */
			templateId: z.string().optional(),
			/** title of that template; absent if it has none */
			templateTitle: z.string().optional(),
		}),
	),
});
/** Contact that fits a search, with the values that fit. */
export type FoundContactDto = z.infer<typeof foundContactDtoSchema>;
