import type { WireRelationshipMetadata } from '../../backbone/dto';
import type { AuditLogEntry, RelationshipStatus } from '../../model/record/relationship';
import { sortAuditLog } from './relationship-rules';

/** `ReadyForDeletion` is told to nobody else; for us it is the end like the state before it. */
function statusOf(wire: WireRelationshipMetadata['status']): RelationshipStatus {
	return wire === 'ReadyForDeletion' ? 'DeletionProposed' : wire;
}

/** Status and audit log as we keep them: sorted, without nulls (docs/protocol/transport.md 6.3). */
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
