import * as z from 'zod';
import { openEnumSchema } from '../open-enum';

/**
 * Status of a deletion process. The first two exist on Backbones up to 6.56 only; a running process
 * is `Approved`. This gateway adds `Deleted`, because a Backbone lists no processes of a deleted
 * identity.
 */
export const deletionProcessStatusSchema = openEnumSchema([
	'WaitingForApproval',
	'Rejected',
	'Approved',
	'Cancelled',
	'Deleting',
	'Deleted',
]);
/** In these an identity is on its way to be deleted, or may be. */
export const activeDeletionStatuses = ['WaitingForApproval', 'Approved'] as const;

/** Status of a deletion process; a newer Backbone may report others. */
export type DeletionProcessStatus = z.infer<typeof deletionProcessStatusSchema>;

/** IdentityDeletionProcessDTO (docs/protocol/transport.md 11, 16.7) */
export const identityDeletionProcessDtoSchema = z.object({
	/** `IDP` id */
	id: z.string(),
	/** ISO time of the start; absent if only the deletion is known */
	createdAt: z.string().optional(),
	/** id of the device that started it; absent if the operator did */
	createdByDevice: z.string().optional(),
	/** ISO time until which a deletion of the operator can be approved */
	approvalPeriodEndsAt: z.string().optional(),
	/** ISO time of the rejection */
	rejectedAt: z.string().optional(),
	/** id of the device that rejected it */
	rejectedByDevice: z.string().optional(),
	/** ISO time of the approval, from which on the grace period runs */
	approvedAt: z.string().optional(),
	/** id of the device that approved it */
	approvedByDevice: z.string().optional(),
	/** ISO time from which on the identity is deleted */
	gracePeriodEndsAt: z.string().optional(),
	/** ISO time of the cancellation */
	cancelledAt: z.string().optional(),
	/** id of the device that cancelled it; absent if the operator did */
	cancelledByDevice: z.string().optional(),
	/** state of the process */
	status: deletionProcessStatusSchema,
});
/** Deletion process of the own identity. */
export type IdentityDeletionProcessDto = z.infer<typeof identityDeletionProcessDtoSchema>;

/** Deletion process of this account's identity, as last read from the Backbone. */
export const deletionProcessRecordSchema = identityDeletionProcessDtoSchema;
export type DeletionProcessRecord = IdentityDeletionProcessDto;
