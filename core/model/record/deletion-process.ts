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

export type DeletionProcessStatus = z.infer<typeof deletionProcessStatusSchema>;

/**
 * Deletion process of this account's identity, as last read from the Backbone; callers receive it
 * unchanged (docs/protocol/transport.md 11, 16.7).
 */
export const deletionProcessSchema = z.object({
	id: z.string(),
	createdAt: z.string().optional(),
	createdByDevice: z.string().optional(),
	approvalPeriodEndsAt: z.string().optional(),
	rejectedAt: z.string().optional(),
	rejectedByDevice: z.string().optional(),
	approvedAt: z.string().optional(),
	approvedByDevice: z.string().optional(),
	gracePeriodEndsAt: z.string().optional(),
	cancelledAt: z.string().optional(),
	cancelledByDevice: z.string().optional(),
	status: deletionProcessStatusSchema,
});
export type DeletionProcessRecord = z.infer<typeof deletionProcessSchema>;

/** IdentityDeletionProcessDTO */
export const identityDeletionProcessDtoSchema = deletionProcessSchema;
export type IdentityDeletionProcessDto = DeletionProcessRecord;
