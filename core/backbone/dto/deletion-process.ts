import * as z from 'zod';
import {
	deletionProcessStatusSchema,
	type DeletionProcessStatus,
} from '../../model/record/deletion-process';
import { idSchema, optionalInstantSchema, shownInstantSchema, shownTextSchema } from './wire';

/** A running process is `Approved` on v1 and `Active` on v2: one name from here on. */
const wireStatusSchema = deletionProcessStatusSchema.transform((status): DeletionProcessStatus =>
	status === 'Active' ? 'Approved' : status,
);

/**
 * `docs/protocol/backbone-api.md` 9.1. Only id and status are promised; the approval fields are those of
 * Backbones up to 6.56. The end of the grace period is acted upon; the other dates are only shown.
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
