import * as z from 'zod';
import { openEnumSchema } from '../../model/open-enum';
import { auditReasons, relationshipStatuses } from '../../model/record/relationship';
import {
	addressSchema,
	contentBytesSchema,
	idSchema,
	instantSchema,
	shownInstantSchema,
	shownTextSchema,
	textSchema,
} from './wire';

/** `ReadyForDeletion` is seen only in the answer to the second decomposition (backbone-api 14.1). */
const wireRelationshipStatusSchema = openEnumSchema([...relationshipStatuses, 'ReadyForDeletion']);

/** The order of a log is not promised; sort by `createdAt`. */
export const wireAuditLogEntrySchema = z.object({
	createdAt: instantSchema,
	/** an address; compared only */
	createdBy: textSchema,
	createdByDevice: shownTextSchema,
	reason: openEnumSchema(auditReasons),
	oldStatus: wireRelationshipStatusSchema.nullish(),
	newStatus: wireRelationshipStatusSchema,
});

/** Stored and shown with the relationship: an account that is used has a few entries. */
const auditLogSchema = z.array(wireAuditLogEntrySchema).max(10_000);

/** Answer to creation and to every transition. */
export const wireRelationshipMetadataSchema = z.object({
	id: idSchema('REL'),
	/** null once the template was deleted */
	relationshipTemplateId: idSchema('RLT').nullish(),
	createdAt: shownInstantSchema,
	status: wireRelationshipStatusSchema,
	auditLog: auditLogSchema,
});
export type WireRelationshipMetadata = z.infer<typeof wireRelationshipMetadataSchema>;

/** Answer to reading. `from` is who created it, `to` the owner of the template. */
export const wireRelationshipSchema = wireRelationshipMetadataSchema.extend({
	from: addressSchema,
	to: addressSchema,
	createdAt: instantSchema,
	creationContent: contentBytesSchema.nullish(),
	creationResponseContent: contentBytesSchema.nullish(),
});
export type WireRelationship = z.infer<typeof wireRelationshipSchema>;

/** `docs/protocol/backbone-api.md` 14.3 */
export const createRelationshipBodySchema = z.object({
	relationshipTemplateId: idSchema('RLT'),
	creationContent: contentBytesSchema.nullish(),
});
export type CreateRelationshipBody = z.infer<typeof createRelationshipBodySchema>;

export const canCreateRelationshipSchema = z.object({
	canCreate: z.boolean(),
	code: textSchema.nullish(),
});
export type CanCreateRelationship = z.infer<typeof canCreateRelationshipSchema>;
