import type { GatewayError } from '../../base/errors';
import type { AuditLogEntry, RelationshipRecord } from '../../model/record/relationship';
import { relationshipErrors } from './relationship-errors';
import {
	relationshipTransitions,
	type RelationshipAction,
	type Transition,
} from './relationship-transitions';

const actionNames: Record<RelationshipAction, string> = {
	accept: 'accepted',
	reject: 'rejected',
	revoke: 'revoked',
	terminate: 'terminated',
	requestReactivation: 'asked to be reactivated',
	acceptReactivation: 'reactivated',
	rejectReactivation: 'kept terminated',
	revokeReactivation: 'kept terminated',
	decompose: 'decomposed',
};

/** Newest last; the Backbone does not promise an order (backbone-api 14.1). */
export function sortAuditLog(entries: readonly AuditLogEntry[]): AuditLogEntry[] {
	return [...entries].sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
}

/**
 * Decides whether we may take the action now: status first, then the reactivation state, then whose
 * turn it is (docs/protocol/transport.md 6.2).
 */
export function decideAction(
	action: RelationshipAction,
	relationship: Pick<RelationshipRecord, 'id' | 'status' | 'peer' | 'auditLog'>,
): Transition | GatewayError {
	const row: Transition = relationshipTransitions[action];
	const facts = {
		relationshipId: relationship.id,
		status: relationship.status,
		peer: relationship.peer,
		action,
	};
	if (!row.from.includes(relationship.status)) {
		const statuses = row.from.map((status) => `'${status}'`).join(' or ');
		return relationshipErrors.create('wrongStatus', {
			message: `The relationship can only be ${actionNames[action]} while it is ${statuses}; it is '${relationship.status}'.`,
			facts,
		});
	}
	const last = relationship.auditLog.at(-1);
	const isOpen = last?.reason === 'ReactivationRequested';
	if (row.openReactivation === 'refused' && isOpen) {
		const who = last.createdBy === relationship.peer ? 'The peer has' : 'We have';
		return relationshipErrors.create('reactivationAlreadyRequested', {
			message: `${who} already requested the reactivation of this relationship.`,
			facts,
		});
	}
	if (row.openReactivation === 'required' && !isOpen) {
		return relationshipErrors.create('reactivationNotRequested', {
			message: 'Nobody has requested the reactivation of this relationship.',
			facts,
		});
	}
	const lastIsPeer = last?.createdBy === relationship.peer;
	if ((row.lastActor === 'peer' && !lastIsPeer) || (row.lastActor === 'us' && lastIsPeer)) {
		return relationshipErrors.create('onlyForPeer', {
			message:
				row.lastActor === 'peer'
					? `We created this ourselves, so it can only be ${actionNames[action]} by the peer.`
					: `The peer created this, so it can only be ${actionNames[action]} by the peer.`,
			facts,
		});
	}
	return row;
}

/** What a freshly read relationship means for the stored one: older states change nothing. */
export function decideUpdate(
	stored: Pick<RelationshipRecord, 'status' | 'auditLog'>,
	fetched: Pick<RelationshipRecord, 'status' | 'auditLog'>,
): 'unchanged' | 'changed' {
	if (fetched.auditLog.length < stored.auditLog.length) return 'unchanged';
	if (fetched.auditLog.length > stored.auditLog.length) return 'changed';
	return fetched.status === stored.status ? 'unchanged' : 'changed';
}

export type ReactivationEvent =
	'transport.relationshipReactivationRequested' | 'transport.relationshipReactivationCompleted';

const reactivationEvents: Partial<Record<AuditLogEntry['reason'], ReactivationEvent>> = {
	ReactivationRequested: 'transport.relationshipReactivationRequested',
	AcceptanceOfReactivation: 'transport.relationshipReactivationCompleted',
	RejectionOfReactivation: 'transport.relationshipReactivationCompleted',
	RevocationOfReactivation: 'transport.relationshipReactivationCompleted',
};

/**
 * The events of a change, in their order (docs/protocol/transport.md 6.2, 14). They follow from the
 * entries that the audit log has gained, whoever brings them first: the answer to our own call, an
 * external event, or a look at the Backbone after either was lost. So none is told twice.
 *
 * @param known how many entries were stored before
 * @param announcement what an external event is about: that goes before the change itself
 */
export function newsOf(
	auditLog: readonly AuditLogEntry[],
	known: number,
	announcement?: ReactivationEvent,
): Array<ReactivationEvent | 'transport.relationshipChanged'> {
	const steps = auditLog
		.slice(known)
		.map(({ reason }) => reactivationEvents[reason])
		.filter((event) => event !== undefined);
	const first = announcement === undefined ? -1 : steps.indexOf(announcement);
	const announced = first < 0 ? [] : steps.splice(first, 1);
	return [...announced, 'transport.relationshipChanged', ...steps];
}
