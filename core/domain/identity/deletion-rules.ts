import { isDeepStrictEqual } from 'node:util';
import type { WireDeletionProcess } from '../../backbone/dto';
import { parseInstant } from '../../model/instant';
import type { DeletionProcessRecord } from '../../model/record/deletion-process';

export type DeletionStatus = DeletionProcessRecord['status'];

/** In these an identity is on its way to be deleted, or may be. */
export const activeStatuses = ['WaitingForApproval', 'Approved'] as const;

/** In these a process is over; in any other one, also one that we do not know, it is not. */
export const finalStatuses = ['Rejected', 'Cancelled', 'Deleted'] as const;

/** In these nothing can be synced. */
export const endingStatuses = ['Approved', 'Deleting', 'Deleted'] as const;

/** How far a process has come; there is no way back (docs/protocol/backbone-api.md 9.2). */
const progress: Readonly<Partial<Record<string, number>>> = {
	WaitingForApproval: 0,
	Approved: 1,
	Rejected: 2,
	Cancelled: 2,
	Deleting: 3,
	Deleted: 4,
};

/**
 * Answers overtake each other: an earlier status, and another end than the one known, are old. A status
 * that we do not know is believed, and so is what follows it, unless the identity is gone.
 */
export function isBehind(found: DeletionStatus, known: DeletionStatus): boolean {
	const from = progress[known];
	const to = progress[found];
	if (from === undefined || to === undefined) return known === 'Deleted';
	return to < from || (found !== known && to === from);
}

export function isSameProcess(a: DeletionProcessRecord, b: DeletionProcessRecord): boolean {
	return isDeepStrictEqual(a, b);
}

/** What the Backbone shows, without what it leaves empty. */
export function toDeletionProcess(wire: WireDeletionProcess): DeletionProcessRecord {
	return {
		id: wire.id,
		...date('createdAt', wire.createdAt),
		...text('createdByDevice', wire.createdByDevice),
		...date('approvalPeriodEndsAt', wire.approvalPeriodEndsAt),
		...date('rejectedAt', wire.rejectedAt),
		...text('rejectedByDevice', wire.rejectedByDevice),
		...date('approvedAt', wire.approvedAt),
		...text('approvedByDevice', wire.approvedByDevice),
		...date('gracePeriodEndsAt', wire.gracePeriodEndsAt),
		...date('cancelledAt', wire.cancelledAt),
		...text('cancelledByDevice', wire.cancelledByDevice),
		status: wire.status,
	};
}

function text<Name extends string>(
	name: Name,
	value: string | null | undefined,
): Partial<Record<Name, string>> {
	return value == null ? {} : ({ [name]: value } as Record<Name, string>);
}

function date<Name extends string>(
	name: Name,
	value: string | null | undefined,
): Partial<Record<Name, string>> {
	return text(name, value == null ? undefined : parseInstant(value));
}
