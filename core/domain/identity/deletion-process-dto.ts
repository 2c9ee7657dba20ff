import { membersOf } from '../../model/json';
import type {
	DeletionProcessRecord,
	IdentityDeletionProcessDto,
} from '../../model/record/deletion-process';

/** Maps a stored deletion process to its public form (docs/protocol/transport.md 16.7). */
export function toDeletionProcessDto(record: DeletionProcessRecord): IdentityDeletionProcessDto {
	return membersOf<IdentityDeletionProcessDto>({
		id: record.id,
		createdAt: record.createdAt,
		createdByDevice: record.createdByDevice,
		approvalPeriodEndsAt: record.approvalPeriodEndsAt,
		rejectedAt: record.rejectedAt,
		rejectedByDevice: record.rejectedByDevice,
		approvedAt: record.approvedAt,
		approvedByDevice: record.approvedByDevice,
		gracePeriodEndsAt: record.gracePeriodEndsAt,
		cancelledAt: record.cancelledAt,
		cancelledByDevice: record.cancelledByDevice,
		status: record.status,
	});
}
