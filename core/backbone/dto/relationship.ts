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

/** `ReadyForDeletion` occurs only in the answer to the second decomposition (backbone-api 14.1). */
const wireRelationshipStatusSchema = openEnumSchema([...relationshipStatuses, 'ReadyForDeletion']);

/** Entry of an audit log. The Backbone guarantees no order of entries; sort them by `createdAt`. */
export const wireAuditLogEntrySchema = z.object({
	createdAt: instantSchema,
	/** address; only compared, so its form is not checked */
	createdBy: textSchema,
	createdByDevice: shownTextSchema,
	reason: openEnumSchema(auditReasons),
	oldStatus: wireRelationshipStatusSchema.nullish(),
	newStatus: wireRelationshipStatusSchema,
});

/** Stored and shown with the relationship. Logs in real use have a few entries. */
const auditLogSchema = z.array(wireAuditLogEntrySchema).max(10_000);

/** Answer to creating a relationship and to every transition. */
export const wireRelationshipMetadataSchema = z.object({
	id: idSchema('REL'),
	/** null after the template was deleted */
	relationshipTemplateId: idSchema('RLT').nullish(),
	createdAt: shownInstantSchema,
	status: wireRelationshipStatusSchema,
	auditLog: auditLogSchema,
});
export type WireRelationshipMetadata = z.infer<typeof wireRelationshipMetadataSchema>;

/** Answer to reading a relationship. `from` created it, `to` owns the template. */
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
