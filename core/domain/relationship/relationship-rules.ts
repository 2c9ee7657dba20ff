import type { GatewayError } from '../../base/errors';
import type { AuditLogEntry, RelationshipRecord } from '../../model/record/relationship';
import { relationshipState } from '../../model/relationship-state';
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

/**
 * Sorts the audit log, newest entry last; the Backbone does not guarantee an order
 * (docs/protocol/backbone-api.md 14.1).
 */
export function sortAuditLog(entries: readonly AuditLogEntry[]): AuditLogEntry[] {
	return [...entries].sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
}

/**
 * Decides whether this account may take the action now, by the status, then by the reactivation
 * state, then by the author of the newest audit entry (docs/protocol/transport.md 6.2).
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
			message: `${relationshipState(relationship)}; it can only be ${actionNames[action]} while it is ${statuses}.`,
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
			message: 'The reactivation of this relationship was not requested.',
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

/** Compares a freshly read relationship with the stored one; older states change nothing. */
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
 * Lists the events of a change in their order (docs/protocol/transport.md 6.2, 14). They follow
 * from the new entries of the audit log, whatever delivered these first: the answer to a call of
 * this account, an external event, or a read of the Backbone after either was lost. So no event is
 * published twice.
 *
 * @param known number of entries that were stored before
 * @param reported event that an external event reports; it precedes the change itself
 */
export function eventsForNewAuditEntries(
	auditLog: readonly AuditLogEntry[],
	known: number,
	reported?: ReactivationEvent,
): Array<ReactivationEvent | 'transport.relationshipChanged'> {
	const steps = auditLog
		.slice(known)
		.map(({ reason }) => reactivationEvents[reason])
		.filter((event) => event !== undefined);
	const first = steps.findIndex((step) => step === reported);
	const leading = first < 0 ? [] : steps.splice(first, 1);
	return [...leading, 'transport.relationshipChanged', ...steps];
}
