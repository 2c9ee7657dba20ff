import * as z from 'zod';
import { idSchema, optionalInstantSchema } from './wire';

/** `docs/protocol/backbone-api.md` 9.1. The first two exist on Backbones up to 6.56 only. */
export const deletionProcessStatuses = [
	'WaitingForApproval',
	'Rejected',
	'Approved',
	'Cancelled',
	'Deleting',
] as const;
export type DeletionProcessStatus = (typeof deletionProcessStatuses)[number];

/** A running process is `Approved` on v1 and `Active` on v2: one name from here on. */
const wireStatusSchema = z
	.enum([...deletionProcessStatuses, 'Active'])
	.transform((status): DeletionProcessStatus => (status === 'Active' ? 'Approved' : status));

const deviceIdSchema = idSchema('DVC');

/** Only id and status are promised; the approval fields are those of Backbones up to 6.56. */
export const wireDeletionProcessSchema = z.object({
	id: idSchema('IDP'),
	status: wireStatusSchema,
	createdAt: optionalInstantSchema,
	createdByDevice: deviceIdSchema.nullish(),
	approvalPeriodEndsAt: optionalInstantSchema,
	rejectedAt: optionalInstantSchema,
	rejectedByDevice: deviceIdSchema.nullish(),
	approvedAt: optionalInstantSchema,
	approvedByDevice: deviceIdSchema.nullish(),
	gracePeriodEndsAt: optionalInstantSchema,
	cancelledAt: optionalInstantSchema,
	cancelledByDevice: deviceIdSchema.nullish(),
});
export type WireDeletionProcess = z.infer<typeof wireDeletionProcessSchema>;

export const startDeletionProcessBodySchema = z.object({
	/** fractions are allowed; the server's default is 14 */
	lengthOfGracePeriodInDays: z.number().nullish(),
});
export type StartDeletionProcessBody = z.infer<typeof startDeletionProcessBodySchema>;
