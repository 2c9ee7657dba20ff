import { isDeepStrictEqual } from 'node:util';
import type { WireDeletionProcess } from '../../backbone/dto';
import { parseInstant } from '../../model/instant';
import type { DeletionProcessRecord } from '../../model/record/deletion-process';

export type DeletionStatus = DeletionProcessRecord['status'];

/** In these an identity is on its way to be deleted, or may be. */
export const activeStatuses = ['WaitingForApproval', 'Approved'] as const;

/** How far a process has come; there is no way back (docs/protocol/backbone-api.md 9.2). */
const progress: Readonly<Record<DeletionStatus, number>> = {
	WaitingForApproval: 0,
	Approved: 1,
	Rejected: 2,
	Cancelled: 2,
	Deleting: 3,
};

/** Answers overtake each other: an earlier status, and another end than the one known, are old. */
export function isBehind(found: DeletionStatus, known: DeletionStatus): boolean {
	if (progress[found] < progress[known]) return true;
	return found !== known && progress[found] === progress[known];
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
