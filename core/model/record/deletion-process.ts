import * as z from 'zod';
import { openEnumSchema } from '../open-enum';

/**
 * The first two exist on Backbones up to 6.56 only; a running process is `Approved`. `Deleted` is ours:
 * a Backbone shows no processes of an identity that is gone.
 */
export const deletionProcessStatusSchema = openEnumSchema([
	'WaitingForApproval',
	'Rejected',
	'Approved',
	'Cancelled',
	'Deleting',
	'Deleted',
]);
export type DeletionProcessStatus = z.infer<typeof deletionProcessStatusSchema>;

/**
 * One process of deleting our own identity, as the Backbone last showed it; callers see it as it is
 * (docs/protocol/transport.md 11, 16.7).
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
