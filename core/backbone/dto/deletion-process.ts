import * as z from 'zod';
import {
	deletionProcessStatusSchema,
	type DeletionProcessStatus,
} from '../../model/record/deletion-process';
import { idSchema, optionalInstantSchema, shownInstantSchema, shownTextSchema } from './wire';

/** Uses one name for a running process, which is `Approved` on v1 and `Active` on v2. */
const wireStatusSchema = deletionProcessStatusSchema.transform((status): DeletionProcessStatus =>
	status === 'Active' ? 'Approved' : status,
);

/**
 * `docs/protocol/backbone-api.md` 9.1. Only id and status are guaranteed; the approval fields come
 * from Backbones up to 6.56. The gateway acts on the end of the grace period and only shows the
 * other dates.
 */
export const wireDeletionProcessSchema = z.object({
	id: idSchema('IDP'),
	status: wireStatusSchema,
	createdAt: shownInstantSchema,
	createdByDevice: shownTextSchema,
	approvalPeriodEndsAt: shownInstantSchema,
	rejectedAt: shownInstantSchema,
	rejectedByDevice: shownTextSchema,
	approvedAt: shownInstantSchema,
	approvedByDevice: shownTextSchema,
	gracePeriodEndsAt: optionalInstantSchema,
	cancelledAt: shownInstantSchema,
	cancelledByDevice: shownTextSchema,
});
export type WireDeletionProcess = z.infer<typeof wireDeletionProcessSchema>;
