import type { WireDeletionProcess } from '../../backbone/dto';
import { parse } from '../../base/schema-parse';
import {
	deletionProcessRecordSchema,
	type DeletionProcessRecord,
} from '../../model/record/deletion-process';

export type DeletionStatus = DeletionProcessRecord['status'];

/** Statuses in which a process has ended; in any other status, even an unknown one, it has not. */
export const finalStatuses = ['Rejected', 'Cancelled', 'Deleted'] as const;

/** Statuses in which nothing can be synced. */
export const endingStatuses = ['Approved', 'Deleting', 'Deleted'] as const;

/** Progress of a process by its status; it never decreases (docs/protocol/backbone-api.md 9.2). */
const progress: Readonly<Partial<Record<string, number>>> = {
	WaitingForApproval: 0,
	Approved: 1,
	Rejected: 2,
	Cancelled: 2,
	Deleting: 3,
	Deleted: 4,
};

/**
 * Checks whether a received status is outdated, because answers can arrive out of order: an earlier
 * status, or another end than the recorded one. An unknown status is accepted, and so is any status
 * after it, unless the identity is deleted.
 */
export function isBehind(found: DeletionStatus, known: DeletionStatus): boolean {
	const from = progress[known];
	const to = progress[found];
	if (from === undefined || to === undefined) return known === 'Deleted';
	return to < from || (found !== known && to === from);
}

/** Omits the empty members of the Backbone's form. */
export function toDeletionProcess(wire: WireDeletionProcess): DeletionProcessRecord {
	const known = Object.entries(wire).filter(([, value]) => value !== null && value !== undefined);
	return parse(deletionProcessRecordSchema, Object.fromEntries(known));
}

/**
 * Requested changes of a process: required status, resulting status, and the error when no process
 * has the required status.
 */
export const changes = {
	cancel: { from: 'Approved', to: 'Cancelled', otherwise: 'noApprovedProcess' },
	approve: { from: 'WaitingForApproval', to: 'Approved', otherwise: 'noWaitingProcess' },
	reject: { from: 'WaitingForApproval', to: 'Rejected', otherwise: 'noWaitingProcess' },
} as const;
