import type { WireRelationshipMetadata } from '../../backbone/dto';
import type { AuditLogEntry, RelationshipStatus } from '../../model/record/relationship';
import { sortAuditLog } from './relationship-rules';

/**
 * Maps `ReadyForDeletion`, which only the answer to a second decomposition shows, to the state
 * before it: both mean the end for this account.
 */
function statusOf(wire: WireRelationshipMetadata['status']): RelationshipStatus {
	return wire === 'ReadyForDeletion' ? 'DeletionProposed' : wire;
}

/**
 * Status and audit log in the stored form: sorted, without nulls (docs/protocol/transport.md 6.3).
 */
export function stateOf(wire: WireRelationshipMetadata): {
	status: RelationshipStatus;
	auditLog: AuditLogEntry[];
} {
	const auditLog = wire.auditLog.map((entry): AuditLogEntry => ({
		createdAt: entry.createdAt,
		createdBy: entry.createdBy,
		...(entry.createdByDevice == null ? {} : { createdByDevice: entry.createdByDevice }),
		reason: entry.reason,
		...(entry.oldStatus == null ? {} : { oldStatus: statusOf(entry.oldStatus) }),
		newStatus: statusOf(entry.newStatus),
	}));
	return { status: statusOf(wire.status), auditLog: sortAuditLog(auditLog) };
}
